import { alertTexts, PLANT_ALERTS, alertRowId, WATCHED_ALERTS, type AlertKey } from '#contract/alerts';
import { calibrationOf, moisturePercent } from '#contract/moisture/percent';
import type { WebKind } from '#contract/receivers';
import type { StoredStory } from '#contract/plants';
import type { Config } from '../lib/config.ts';

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
  /** What to do first; null when it is over. */
  first_step: string | null;
  since: string;
  until: string | null;
  /** Why no more is told of its plant, which may be as it was; null where all is well again. */
  gone: Gone | null;
  /** The level of a plant's soil that is judged, not its last reading. */
  percent: number | null;
  /** The limit below which that is dry. */
  limit_percent: number | null;
};

type Gone = 'hidden' | 'removed';

/** How messages are written: where the site is, for links, and in which language. */
export type Wording = { site: string | undefined; language: Config['ALERT_LANGUAGE'] };

export const wordingOf = ({ SITE_URL, ALERT_LANGUAGE }: Config): Wording => ({
  site: SITE_URL,
  language: ALERT_LANGUAGE,
});

const words = {
  ko: {
    title: {
      began: (n: number) => `알림 ${n}건`,
      well: (n: number) => `해소 ${n}건`,
      gone: (n: number) => `종료 ${n}건`,
    },
    marks: { began: '발생', well: '해소', gone: '종료' },
    gone: { hidden: '화분을 숨겨 더 알리지 않습니다', removed: '화분을 삭제해 더 알리지 않습니다' },
    rest: (n: number) => `그 밖에 ${n}건`,
    level: (percent: string, limit: number) => `현재 수분 ${percent}% · ${limit}% 아래면 알림`,
    since: (time: string) => `${time}부터`,
    first: '먼저',
    test: ['시험 알림', '시험 알림입니다. 화분이나 시스템에 일이 생기면 여기로 알립니다.'],
  },
  en: {
    title: {
      began: (n: number) => `alerts: ${n}`,
      well: (n: number) => `over: ${n}`,
      gone: (n: number) => `ended: ${n}`,
    },
    marks: { began: 'began', well: 'over', gone: 'ended' },
    gone: {
      hidden: 'the plant is hidden, no more is told',
      removed: 'the plant is removed, no more is told',
    },
    rest: (n: number) => `and ${n} more`,
    level: (percent: string, limit: number) => `soil at ${percent}%, alert below ${limit}%`,
    since: (time: string) => `since ${time}`,
    first: 'First',
    test: ['Test message', 'A test: what happens to plants or system is told here.'],
  },
} as const;

type Told = AlertKey & { since: number; over_at: number | null; detail: string | null };
type Plant = {
  name: string;
  story: StoredStory | null;
  dry: number | null;
  wet: number | null;
  alert_below: number;
  isHidden: boolean;
};
/** Null when they could not be read. */
type Plants = ReadonlyMap<string, Plant> | null;

/** Some services truncate longer messages. */
const LINES_MAX = 20;
/** With more at once 시스템 상태 says what to do first. */
const STEPS_MAX = 5;

/** @param plants what people call the plants, their stories and their calibrations, by topic */
export function composeMessage(news: readonly Told[], plants: Plants, { site, language }: Wording): Message {
  const own = words[language];
  const facts = news.toSorted((a, b) => a.since - b.since).map((each) => factOf(each, plants, language));
  const began = facts.filter(({ event }) => event === 'began').length;
  const gone = facts.filter((fact) => fact.gone !== null).length;
  const well = facts.length - began - gone;
  const rest = facts.length - LINES_MAX;
  const areAllPlants = news.every(({ kind }) => PLANT_ALERTS.includes(kind));
  const [only] = news.length === 1 ? news : [];
  return {
    title: [
      ...(began > 0 ? [own.title.began(began)] : []),
      ...(well > 0 ? [own.title.well(well)] : []),
      ...(gone > 0 ? [own.title.gone(gone)] : []),
    ].join(', '),
    lines: [
      ...facts.slice(0, LINES_MAX).flatMap((fact) => linesOf(fact, language, began <= STEPS_MAX)),
      ...(rest > 0 ? [own.rest(rest)] : []),
    ],
    link:
      site &&
      `${site}/${areAllPlants ? 'manage_plants' : `manage_health${only ? `#${alertRowId(only)}` : ''}`}`,
    isOver: began === 0,
    news: facts,
  };
}

function factOf(
  { kind, name, since, over_at, detail }: Told,
  plants: Plants,
  language: Wording['language'],
): Fact {
  const plant = PLANT_ALERTS.includes(kind) ? plants?.get(name) : undefined;
  const label = plant?.name ?? name;
  const { text, step } = alertTexts({ kind, name: label }, language);
  const gone = over_at === null || plants === null || !WATCHED_ALERTS.includes(kind) ? null : goneOf(plant);
  const percent =
    kind !== 'dry' || gone !== null || !plant?.story?.level
      ? null
      : moisturePercent(plant.story.level.raw, calibrationOf(plant));
  // The rules write it down in Korean alone.
  const how = language === 'ko' && over_at === null ? detail : null;
  return {
    event: over_at === null ? 'began' : 'over',
    kind,
    name: label,
    text: withoutMarkup(text),
    detail: how && withoutMarkup(how),
    first_step: over_at === null && step !== undefined ? withoutMarkup(step) : null,
    since: new Date(since).toISOString(),
    until: over_at === null ? null : new Date(over_at).toISOString(),
    gone,
    percent: percent === null ? null : Number(percent.toFixed(1)),
    limit_percent: percent === null ? null : (plant?.alert_below ?? null),
  };
}

const goneOf = (plant: Plant | undefined): Gone | null =>
  plant === undefined ? 'removed' : plant.isHidden ? 'hidden' : null;

function linesOf(
  { event, text, detail, first_step, gone, percent, limit_percent: limit, since, until }: Fact,
  language: Wording['language'],
  hasStep: boolean,
): string[] {
  const own = words[language];
  const mark = own.marks[event === 'began' ? 'began' : gone === null ? 'well' : 'gone'];
  const why = gone === null ? '' : `. ${own.gone[gone]}`;
  const more = percent === null || limit === null ? detail : own.level(percent.toFixed(1), limit);
  const now = more === null ? '' : `. ${more}`;
  const span = until === null ? own.since(seoulTime(since)) : `${seoulTime(since)} – ${seoulTime(until)}`;
  const line = `[${mark}] ${text}${why}${now} (${span})`;
  return first_step === null || !hasStep ? [line] : [line, `  ${own.first}: ${first_step}`];
}

/** What a receiver gets when somebody asks whether messages arrive. */
export function testMessage({ site, language }: Wording): Message {
  const [title, line] = words[language].test;
  return { title, lines: [line], link: site && `${site}/manage_health`, isOver: true, news: [] };
}

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
