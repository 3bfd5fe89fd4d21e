import {
  alertMessageTexts,
  PLANT_ALERT_KINDS,
  alertRowId,
  ALERT_KINDS_ENDED_BY_HIDING,
  type AlertKey,
} from '#contract/alerts';
import { calibrationOf, moisturePercent } from '#contract/moisture/percent';
import type { WebReceiverKind } from '#contract/receivers';
import type { StoredAssessment } from '#contract/plants';
import type { Config } from '../lib/config.ts';

/** A message before it is formatted for a service. No text in it is interpreted as markup. */
export type AlertMessage = {
  /** The subject, in a few words. */
  title: string;
  /** One line for each alert that began or ended. */
  lines: string[];
  /** Link to details; undefined if the site's address is not set. */
  link: string | undefined;
  /** Whether all alerts of the message have ended. */
  isOver: boolean;
  /** The same facts for programs; instants are ISO 8601. */
  news: Fact[];
};

type Fact = {
  event: 'began' | 'over';
  kind: string;
  /** The name of the plant, bridge or task. */
  name: string;
  text: string;
  /** The present state in words, if there is more to say. */
  detail: string | null;
  /** What to do first; null for an alert that has ended. */
  first_step: string | null;
  since: string;
  until: string | null;
  /** Why alerts about the plant stopped although its trouble may go on; null if the trouble ended. */
  gone: Gone | null;
  /** The soil level that is judged, not the last reading. */
  percent: number | null;
  /** The limit below which the soil is dry, in percent. */
  limit_percent: number | null;
};

type Gone = 'hidden' | 'removed';

/** The site's address, for links, and the language of messages. */
export type MessageOptions = { site: string | undefined; language: Config['ALERT_LANGUAGE'] };

export const messageOptionsOf = ({ SITE_URL, ALERT_LANGUAGE }: Config): MessageOptions => ({
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
      hidden: 'the plant was hidden: no more alerts about it are sent',
      removed: 'the plant was removed: no more alerts about it are sent',
    },
    rest: (n: number) => `and ${n} more`,
    level: (percent: string, limit: number) => `soil at ${percent}%, alert below ${limit}%`,
    since: (time: string) => `since ${time}`,
    first: 'First',
    test: ['Test message', 'This is a test. Alerts about plants and the system will be sent here.'],
  },
} as const;

type Told = AlertKey & { since: number; over_at: number | null; detail: string | null };
type Plant = {
  name: string;
  assessment: StoredAssessment | null;
  dry: number | null;
  wet: number | null;
  alert_below: number;
  isHidden: boolean;
};
/** Null if the plants could not be read. */
type Plants = ReadonlyMap<string, Plant> | null;

/** Maximum number of lines, because some services truncate longer messages. */
const LINES_MAX = 20;
/** If a message has more alerts, it refers to 시스템 상태 for the first steps. */
const STEPS_MAX = 5;

/** @param plants names, assessments and calibrations of the plants, by topic */
export function composeMessage(
  news: readonly Told[],
  plants: Plants,
  { site, language }: MessageOptions,
): AlertMessage {
  const own = words[language];
  const facts = news.toSorted((a, b) => a.since - b.since).map((each) => factOf(each, plants, language));
  const began = facts.filter(({ event }) => event === 'began').length;
  const gone = facts.filter((fact) => fact.gone !== null).length;
  const well = facts.length - began - gone;
  const rest = facts.length - LINES_MAX;
  const areAllPlants = news.every(({ kind }) => PLANT_ALERT_KINDS.includes(kind));
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
  language: MessageOptions['language'],
): Fact {
  const plant = PLANT_ALERT_KINDS.includes(kind) ? plants?.get(name) : undefined;
  const label = plant?.name ?? name;
  const { text, step } = alertMessageTexts({ kind, name: label }, language);
  const gone =
    over_at === null || plants === null || !ALERT_KINDS_ENDED_BY_HIDING.includes(kind) ? null : goneOf(plant);
  const percent =
    kind !== 'dry' || gone !== null || !plant?.assessment?.level
      ? null
      : moisturePercent(plant.assessment.level.raw, calibrationOf(plant));
  // The rules write details in Korean only.
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
  language: MessageOptions['language'],
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

export function testMessage({ site, language }: MessageOptions): AlertMessage {
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
 * Replaces markup characters by full-width forms. A plant's name may come from its board, and `<!channel>` or
 * `@here` in the name would notify everybody; services escape differently, but none reads full-width forms.
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
  /** Sent in addition to `content-type: application/json`. */
  headers?: Record<string, string>;
  body: (message: AlertMessage, address: URL) => object;
};

/** The text for a chat, with the link on the last line. */
export const messagePlainText = ({ lines, link }: AlertMessage) =>
  [...lines, ...(link === undefined ? [] : [link])].join('\n');

/** The colours --accent and --danger of the site. */
const OVER = '#12684c';
const TROUBLE = '#a3282c';

export const messageFormats: Record<WebReceiverKind, Format> = {
  /** Also for services with the same format: Google Chat, which rejects further fields, and Mattermost. */
  slack: { body: (message) => ({ text: messagePlainText(message) }) },
  discord: {
    body: (message) => ({
      // Discord accepts at most 2,000 characters.
      content: messagePlainText(message).slice(0, 2000),
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
      text: messagePlainText(message).slice(0, 4096),
      link_preview_options: { is_disabled: true },
    }),
  },
  json: {
    body: (message) => ({
      text: messagePlainText(message),
      title: message.title,
      link: message.link ?? null,
      news: message.news,
    }),
  },
};
