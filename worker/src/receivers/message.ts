import { PLANT_ALERTS, troubleText, WATCHED_ALERTS, type AlertKey } from '#contract/alerts';
import { calibrationOf, plantPercent } from '#contract/moisture/percent';
import type { WebKind } from '#contract/receivers';
import type { KeptStory } from '#contract/plants';

/** A message before a service gives it its form. Nothing in it is read as markup by any of them. */
export type Message = {
  /** What it is about, in a few words. */
  title: string;
  /** A line for each thing that began or is over. */
  lines: string[];
  /** Where more stands; undefined where the site's address is not known. */
  link: string | undefined;
  /** Whether everything in it is over. */
  isOver: boolean;
  /** The same for programs; instants are ISO 8601. */
  news: Fact[];
};

type Fact = {
  event: 'began' | 'over';
  kind: string;
  /** The plant, bridge or task. */
  name: string;
  text: string;
  /** How it stands, where there is more to say. */
  detail: string | null;
  since: string;
  until: string | null;
  /** Why no more is told of its plant, which may be as it was; null where all is well again. */
  gone: Gone | null;
  /** The level of a plant's soil that is judged, not its last reading. */
  percent: number | null;
};

type Gone = 'hidden' | 'removed';
const goneTexts: Record<Gone, string> = {
  hidden: '화분을 숨겨 더 알리지 않습니다',
  removed: '화분을 삭제해 더 알리지 않습니다',
};

type Told = AlertKey & { since: number; over_at: number | null; detail: string | null };
type Plant = {
  name: string;
  story: KeptStory | null;
  dry: number | null;
  wet: number | null;
  isHidden: boolean;
};
/** Null when they could not be read. */
type Plants = ReadonlyMap<string, Plant> | null;

/** Some services truncate longer messages. */
const LINES_MAX = 20;

/**
 * @param plants what people call the plants, their stories and their calibrations, by topic
 * @param site the site's origin
 */
export function composeMessage(news: readonly Told[], plants: Plants, site: string | undefined): Message {
  const facts = news.toSorted((a, b) => a.since - b.since).map((each) => factOf(each, plants));
  const began = facts.filter(({ event }) => event === 'began').length;
  const gone = facts.filter((fact) => fact.gone !== null).length;
  const well = facts.length - began - gone;
  const rest = facts.length - LINES_MAX;
  const areAllPlants = news.every(({ kind }) => PLANT_ALERTS.includes(kind));
  return {
    title: [
      ...(began > 0 ? [`알림 ${began}건`] : []),
      ...(well > 0 ? [`해소 ${well}건`] : []),
      ...(gone > 0 ? [`종료 ${gone}건`] : []),
    ].join(', '),
    lines: [...facts.slice(0, LINES_MAX).map(lineOf), ...(rest > 0 ? [`그 밖에 ${rest}건`] : [])],
    link: site && `${site}/${areAllPlants ? 'manage_plants' : 'manage_health'}`,
    isOver: began === 0,
    news: facts,
  };
}

function factOf({ kind, name, since, over_at, detail }: Told, plants: Plants): Fact {
  const plant = PLANT_ALERTS.includes(kind) ? plants?.get(name) : undefined;
  const label = plant?.name ?? name;
  const text = withoutMarkup(troubleText({ kind, name: label }));
  const gone = over_at === null || plants === null || !WATCHED_ALERTS.includes(kind) ? null : goneOf(plant);
  const percent =
    kind !== 'dry' || gone !== null || !plant?.story?.level
      ? null
      : plantPercent(plant.story.level.raw, calibrationOf(plant));
  return {
    event: over_at === null ? 'began' : 'over',
    kind,
    name: label,
    text,
    detail: over_at === null && detail !== null ? withoutMarkup(detail) : null,
    since: new Date(since).toISOString(),
    until: over_at === null ? null : new Date(over_at).toISOString(),
    gone,
    percent: percent === null ? null : Number(percent.toFixed(1)),
  };
}

const goneOf = (plant: Plant | undefined): Gone | null =>
  plant === undefined ? 'removed' : plant.isHidden ? 'hidden' : null;

function lineOf({ event, text, detail, gone, percent, since, until }: Fact): string {
  const mark = event === 'began' ? '발생' : gone === null ? '해소' : '종료';
  const why = gone === null ? '' : `. ${goneTexts[gone]}`;
  const more = percent === null ? detail : `현재 수분 ${percent.toFixed(1)}%`;
  const now = more === null ? '' : `. ${more}`;
  const span = until === null ? `${seoulTime(since)}부터` : `${seoulTime(since)} – ${seoulTime(until)}`;
  return `[${mark}] ${text}${why}${now} (${span})`;
}

/** What a receiver gets when somebody asks whether messages arrive. */
export const testMessage = (site: string | undefined): Message => ({
  title: '시험 알림',
  lines: ['시험 알림입니다. 화분이나 시스템에 일이 생기면 여기로 알립니다.'],
  link: site && `${site}/manage_health`,
  isOver: true,
  news: [],
});

const MARKS = new Map(
  Object.entries({
    '<': '＜',
    '>': '＞',
    '@': '＠',
    '&': '＆',
    '`': '｀',
    '*': '＊',
    '[': '［',
    ']': '］',
    _: '＿',
    '~': '～',
    '|': '｜',
  }),
);

/**
 * A board chooses its plant's name, and `<!channel>` or `@here` in it would call everybody. Each service has escapes of
 * its own, so the full-width forms stand there, which none of them reads as markup.
 */
const withoutMarkup = (text: string) => text.replaceAll(/[<>@&`*[\]_~|]/g, (mark) => MARKS.get(mark) ?? mark);

const seoul = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Seoul',
  dateStyle: 'short',
  timeStyle: 'short',
});

/** `2026.03.02 14:05` in Seoul. */
const seoulTime = (instant: string) => seoul.format(Date.parse(instant)).replaceAll('-', '.');

type Format = {
  /** Beside `content-type: application/json`. */
  headers?: Record<string, string>;
  body: (message: Message, address: URL) => object;
};

/** What a chat shows, its link on the last line. */
export const plainText = ({ lines, link }: Message) =>
  [...lines, ...(link === undefined ? [] : [link])].join('\n');

/** The tokens --accent and --danger of the site. */
const OVER = '#12684c';
const TROUBLE = '#a3282c';

/** How each service wants a message. */
export const formats: Record<WebKind, Format> = {
  /** And whoever takes the same: Google Chat, Mattermost. Google Chat refuses more than the text. */
  slack: { body: (message) => ({ text: plainText(message) }) },
  discord: {
    body: (message) => ({
      // Discord takes 2,000 characters.
      content: plainText(message).slice(0, 2000),
      allowed_mentions: { parse: [] },
      // SUPPRESS_EMBEDS: no preview of the link.
      flags: 4,
    }),
  },
  jandi: {
    headers: { accept: 'application/vnd.tosslab.jandi-v2+json' },
    body: ({ title, lines, link, isOver }) => ({
      body: link === undefined ? title : `[${title}](${link})`,
      connectColor: isOver ? OVER : TROUBLE,
      connectInfo: [{ title: '알림 내용', description: lines.join('\n') }],
    }),
  },
  telegram: {
    body: (message, address) => ({
      chat_id: address.searchParams.get('chat_id'),
      text: plainText(message).slice(0, 4096),
      link_preview_options: { is_disabled: true },
    }),
  },
  json: {
    body: (message) => ({
      text: plainText(message),
      title: message.title,
      link: message.link ?? null,
      news: message.news,
    }),
  },
};
