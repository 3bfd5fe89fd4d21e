/**
 * A meeting: weekday (0 is Monday, 5 Saturday), start and end in minutes of the day. `room` and `weeks`
 * (`격주`) are set if the timetable contains them.
 */
export type Slot = { day: number; from: number; to: number; room?: string; weeks?: string };

/** A segment of the text. Joined together, the segments are the original text. */
type Segment =
  | { kind: 'meeting'; text: string; slots: Slot[] }
  | { kind: 'room' | 'weeks' | 'clock'; text: string }
  | { kind: 'gap'; text: string }
  | { kind: 'unread'; text: string };

type Timetable = { slots: Slot[]; unread: string[]; segments: Segment[] };

export const DAY_NAMES = ['월', '화', '수', '목', '금', '토'] as const;

/** Period n begins at 09:00 + (n − 1) hours and lasts an hour: 1교시 is 09:00–10:00. */
export const PERIODS = { firstStart: 9 * 60, length: 60 } as const;

/** From this number on, a range such as `9-11` may be periods or hours. */
const FIRST_LIKE_AN_HOUR = 9;
/** No class begins earlier (minutes of the day), so `1:00-2:30` and `7:00-9:30`, which are 오후, stay text. */
const EARLIEST = 8 * 60;
const NOON = 12 * 60;

const ROOM_LENGTH_MAX = 40;
/** One of these words in place of a room or a professor means that there is no room or no professor. */
export const NO_NAME_OR_ROOM = /미정|미배정|온라인|원격|비대면|사이버|추후|zoom|tba/i;
const ROOM = /\d{3}|[\p{L}-]\d{2}|(?:[관실홀동장당층]|센터)$/u;
const NO_ROOM =
  /\d\s?[시분반주:]\s?\d|\d\s?[시분반주]|^[시분반주](?!\p{L})|오전|오후|집중|^[월화수목금토]\d|\d(?:명|학번)|\d{6}|\b[ap]\.?m\b|~|\d[-./]\d{1,2}[-./]\d/iu;

// Every repetition is bounded, so that the cost per position does not depend on the text's length.
export const day = '[월화수목금토](?:요일)?';
const days = `${day}(?:\\s?[,/·]?\\s?${day}){0,5}`;
const half = '(?:오전|오후|[AP]\\.?M\\b\\.?)';
const hour = `(?:${half}\\s?)?(?:[01]?\\d|2[0-3])`;
export const clock = `${hour}(?::[0-5]\\d|\\s?시(?:\\s?반|\\s?[0-5]?\\d\\s?분)?)(?:\\s?${half}(?!\\p{L}))?`;
const period = '(?:1[0-5]|[1-9])(?![\\dA-Za-z.:시])(?:\\s?교시)?';
const item = `(?:(?:${clock}|${hour})\\s?[-~]\\s?${clock}|${period}(?:\\s?[-~]\\s?${period})?)`;
const items = `${item}(?:\\s?[,·]\\s?${item}){0,14}`;
export const weeks =
  '[(\\[]?(?<![\\p{L}\\p{N}])(?:격주|매주|[홀짝]수\\s?주|\\d{1,2}(?:[,·~-]\\d{1,2}){0,8}\\s?주차?)(?!\\p{L})[)\\]]?';
const meetingPattern = new RegExp(
  `(?<!\\p{L})(?<days>${days})\\s?(?:(?<items>${items})|\\(\\s?(?<inBrackets>${items})\\s?\\))|(?<weeks>${weeks})`,
  'giu',
);
/** In `월 7-9 (18:30-21:00)` the clock times are used, because the times of evening periods differ. */
const clockInBrackets = new RegExp(`^\\s*[([]\\s?(${clock})\\s?[-~]\\s?(${clock})\\s?[)\\]]\\s*$`, 'iu');
const separator = /([,/;|+&\n]+)/;

/**
 * Parses class times as Korean universities write them: `월1,2,3`, `월3~5`, `월 3-5`, `화(10:00-11:50)`, `수10:00~11:15`,
 * `월1,2/수3`, `월,수 3교시`, `월 9시-10시반`, `화 7:00-9:00 PM`, with weeks as in `월1-3(격주)` and rooms
 * as in `공학관401(월1,2), 수3 공502`. Linear in the text's length.
 */
export function parseTimetable(text: string): Timetable {
  const segments = readSegments(text);
  return {
    segments,
    slots: segments.flatMap((segment) => (segment.kind === 'meeting' ? segment.slots : [])),
    unread: segments.flatMap((segment) => (segment.kind === 'unread' ? [segment.text.trim()] : [])),
  };
}

function readSegments(text: string): Segment[] {
  const plain = plainText(text);
  const segments: Segment[] = [];
  let at = 0;
  let previous: Slot[] | undefined;
  let meetings = 0;
  const matches = [...plain.matchAll(meetingPattern)];
  for (const [index, match] of matches.entries()) {
    const end = match.index + match[0].length;
    const note = match.groups?.['weeks'];
    if (note !== undefined && previous) {
      segments.push(...readBetween(text.slice(at, match.index), previous, undefined));
      const next = matches[index + 1];
      const isParted = /[,/;|+&]$/.test(plain.slice(at, match.index).trimEnd());
      const isBeforeNext = next?.groups?.['days'] !== undefined && plain.slice(end, next.index).trim() === '';
      // In `월5-7, 격주 금1-2` the note is about the meeting after, in `월1, 수3, 격주` perhaps about both.
      const isUnclear =
        previous.some((slot) => slot.weeks !== undefined) ||
        (isBeforeNext ? isParted || !/^[([]/.test(note) : isParted && meetings > 1);
      if (!isUnclear) for (const slot of previous) slot.weeks = note.replace(/[()[\]]/g, '');
      segments.push({ kind: isUnclear ? 'unread' : 'weeks', text: text.slice(match.index, end) });
      at = end;
    }
    if (note !== undefined) continue;
    const slots = slotsOf(
      match.groups?.['days'] ?? '',
      match.groups?.['items'] ?? match.groups?.['inBrackets'] ?? '',
    );
    // A meeting whose end is before its start stays text.
    if (!slots) continue;
    segments.push(...readBetween(text.slice(at, match.index), previous, slots));
    segments.push({ kind: 'meeting', text: text.slice(match.index, end), slots });
    at = end;
    previous = slots;
    meetings += 1;
  }
  segments.push(...readBetween(text.slice(at), previous, undefined));
  return segments;
}

/**
 * Parses the text between two meetings. A piece without a separator is the room of the meeting before. If
 * there is no meeting before, or if the piece ends with `(`, the piece is the room of the meeting after.
 */
function readBetween(text: string, before: Slot[] | undefined, after: Slot[] | undefined): Segment[] {
  const pieces = text.split(separator);
  return pieces.map((piece, index): Segment => {
    // `월5-월7` leaves open what is between them.
    const isRange = before !== undefined && after !== undefined && /^\s*[-~]\s*$/.test(plainText(piece));
    if (
      !isRange &&
      !/[\p{L}\p{N}\p{S}\p{M}]/u.test(piece) &&
      /^[\s,/;|+&()[\]·.:~-]*$/.test(plainText(piece))
    ) {
      return { kind: 'gap', text: piece };
    }
    const opensNext = /[([]\s*$/.test(piece);
    const isFirst = index === 0;
    const isLast = index === pieces.length - 1;
    const owner = isFirst && before && !(isLast && after && opensNext) ? before : isLast ? after : undefined;
    const [, first, last] = clockInBrackets.exec(plainText(piece)) ?? [];
    const span = first !== undefined && last !== undefined && clockSpan(readClock(first), readClock(last));
    if (owner && owner === before && span && new Set(owner.map(({ from }) => from)).size === 1) {
      for (const slot of owner) Object.assign(slot, span);
      return { kind: 'clock', text: piece };
    }
    const room = roomOf(piece);
    if (!owner || room === undefined || owner.some((slot) => slot.room !== undefined)) {
      return { kind: 'unread', text: piece };
    }
    for (const slot of owner) slot.room = room;
    return { kind: 'room', text: piece };
  });
}

/** A room's name without surrounding brackets and spaces; undefined if the text does not look like a room. */
function roomOf(piece: string): string | undefined {
  const room = plainText(piece)
    .replace(/^[\s()[\]]{1,20}/, '')
    .trimEnd()
    .replace(/[\s([]{1,20}$/, '');
  const closed = /[([]/.test(room) ? room : room.replace(/[)\]]$/, '').trimEnd();
  // The rest of `목 14-17`, which may be hours or periods, is no room.
  if (/^[-~]/.test(closed)) return undefined;
  const isRoom = NO_NAME_OR_ROOM.test(closed) || (ROOM.test(closed) && !NO_ROOM.test(closed));
  return isRoom && closed.length <= ROOM_LENGTH_MAX ? closed : undefined;
}

function slotsOf(dayText: string, itemText: string): Slot[] | undefined {
  const spans = itemText.split(/[,·]/).map(spanOf);
  const known = spans.filter((span) => span !== undefined);
  if (known.length < spans.length) return undefined;
  const joined = joinSpans(known);
  const named = Array.from(dayText.replaceAll('요일', ''), (name) =>
    DAY_NAMES.findIndex((each) => each === name),
  );
  return [...new Set(named)]
    .filter((day) => day !== -1)
    .flatMap((day) => joined.map(({ from, to }) => ({ day, from, to })));
}

type Span = { from: number; to: number };

function spanOf(text: string): Span | undefined {
  const [first = '', last] = text.split(/[-~]/);
  if (last !== undefined && /:|(?<!교)시/.test(last)) return clockSpan(readClock(first), readClock(last));
  const [from, to] = [first, last ?? first].map((part) => periodStart(Number.parseInt(part, 10)));
  const isUnclear =
    last !== undefined && Number.parseInt(first, 10) >= FIRST_LIKE_AN_HOUR && !text.includes('교시');
  return from === undefined || to === undefined || to < from || isUnclear
    ? undefined
    : { from, to: to + PERIODS.length };
}

export function periodStart(period: number): number {
  return PERIODS.firstStart + (period - 1) * PERIODS.length;
}

export function clockText(minutes: number): string {
  const pad = (number: number) => String(number).padStart(2, '0');
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

export const periodOf = (minutes: number) => (minutes - PERIODS.firstStart) / PERIODS.length + 1;

/** `half`: start of the half day in minutes (오전 0, 오후 720); undefined if the text does not say. */
type Clock = { minutes: number; half: number | undefined };

export function readClock(text: string): Clock {
  const [hours = 0, minutes = text.includes('반') ? 30 : 0] = (text.match(/\d+/g) ?? []).map(Number);
  const half = /오후|p/i.test(text) ? NOON : /오전|a/i.test(text) ? 0 : undefined;
  return { minutes: hours * 60 + minutes, half };
}

/** A single 오전 or 오후 applies to both times, unless noon is between them: `11:00-1:00 PM`. */
export function clockSpan(first: Clock, last: Clock): Span | undefined {
  const at = ({ minutes }: Clock, half: number | undefined) =>
    half === undefined || minutes >= NOON + 60 ? minutes : (minutes % NOON) + half;
  const same = { from: at(first, first.half ?? last.half), to: at(last, last.half ?? first.half) };
  const isMarked = first.half !== undefined || last.half !== undefined;
  const overNoon = { from: at(first, first.half ?? 0), to: at(last, last.half ?? NOON) };
  return [same, ...(isMarked ? [overNoon] : [])].find(({ from, to }) => from >= EARLIEST && from < to);
}

/** Joins consecutive periods to one meeting. */
function joinSpans(spans: Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else joined.push({ ...span });
  }
  return joined;
}

/** Normalises full-width forms, spaces, dashes and tildes for the patterns; all positions stay the same. */
export function plainText(text: string): string {
  return text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u223c\u301c]/g, '~')
    .replace(/[\u3010\u3014]/g, '[')
    .replace(/[\u3011\u3015]/g, ']')
    .replace(/[\u318d\u30fb\u2022]/g, '·');
}
