/**
 * A meeting: weekday (0 is Monday, 5 Saturday), start and end in minutes of the day, and the room if given.
 */
export type Slot = { day: number; from: number; to: number; room?: string };

/** A segment of the text. Joined together, the segments are the original text. */
type Segment =
  | { kind: 'meeting'; text: string; slots: Slot[] }
  | { kind: 'room'; text: string }
  | { kind: 'gap'; text: string }
  | { kind: 'unread'; text: string };

type Timetable = { slots: Slot[]; unread: string[]; segments: Segment[] };

export const DAY_NAMES = ['월', '화', '수', '목', '금', '토'] as const;

/** Period n begins at 09:00 + (n − 1) hours and lasts an hour: 1교시 is 09:00–10:00. */
export const PERIODS = { firstStart: 9 * 60, length: 60, last: 15 } as const;

const ROOM_LENGTH_MAX = 40;

// Every repetition is bounded, so that the cost per position does not depend on the text's length.
const day = '[월화수목금토](?:요일)?';
const days = `${day}(?:\\s?[,/·]?\\s?${day}){0,5}`;
const clock = '(?:[01]?\\d|2[0-3]):[0-5]\\d';
const period = '(?:1[0-5]|[1-9])(?![\\dA-Za-z.:])(?:\\s?교시)?';
const range = (unit: string) => `${unit}(?:\\s?[-~]\\s?${unit})`;
const item = `(?:${range(clock)}|${range(period)}?)`;
const items = `${item}(?:\\s?,\\s?${item}){0,14}`;
const meetingPattern = new RegExp(
  `(?<!\\p{L})(?<days>${days})\\s?(?:(?<items>${items})|\\(\\s?(?<inBrackets>${items})\\s?\\))`,
  'gu',
);
const separator = /([,/;|+&\n]+)/;

/**
 * Parses class times as Korean universities write them: `월1,2,3`, `월3~5`, `월 3-5`, `화(10:00-11:50)`, `수10:00~11:15`,
 * `월1,2/수3`, `월,수 3교시`, with rooms as in `공학관401(월1,2), 수3 공502`. Linear in the text's length.
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
  for (const match of plain.matchAll(meetingPattern)) {
    const slots = slotsOf(
      match.groups?.['days'] ?? '',
      match.groups?.['items'] ?? match.groups?.['inBrackets'] ?? '',
    );
    // A meeting that would end before it starts is left as text.
    if (!slots) continue;
    segments.push(...readBetween(text.slice(at, match.index), previous, slots));
    const end = match.index + match[0].length;
    segments.push({ kind: 'meeting', text: text.slice(match.index, end), slots });
    at = end;
    previous = slots;
  }
  segments.push(...readBetween(text.slice(at), previous, undefined));
  return segments;
}

/**
 * The text between two meetings. A piece without a separator is the room of the adjacent meeting; between two
 * meetings it belongs to the first, unless it opens a bracket around the second.
 */
function readBetween(text: string, before: Slot[] | undefined, after: Slot[] | undefined): Segment[] {
  const pieces = text.split(separator);
  return pieces.map((piece, index): Segment => {
    if (!/[\p{L}\p{N}\p{S}\p{M}]/u.test(piece) && /^[\s,/;|+&()[\]·.:~-]*$/.test(plainText(piece))) {
      return { kind: 'gap', text: piece };
    }
    const opensNext = /[([]\s*$/.test(piece);
    const isFirst = index === 0;
    const isLast = index === pieces.length - 1;
    const owner = isFirst && before && !(isLast && after && opensNext) ? before : isLast ? after : undefined;
    const room = roomOf(piece);
    if (!owner || room === undefined || owner.some((slot) => slot.room !== undefined)) {
      return { kind: 'unread', text: piece };
    }
    for (const slot of owner) slot.room = room;
    return { kind: 'room', text: piece };
  });
}

/** A room's name without surrounding brackets and spaces. */
function roomOf(piece: string): string | undefined {
  const room = piece
    .replace(/^[\s()[\]]{1,20}/, '')
    .trimEnd()
    .replace(/[\s([]{1,20}$/, '');
  const closed = /[([]/.test(room) ? room : room.replace(/[)\]]$/, '').trimEnd();
  return closed === '' || closed.length > ROOM_LENGTH_MAX ? undefined : closed;
}

function slotsOf(dayText: string, itemText: string): Slot[] | undefined {
  const spans = itemText.split(',').map(spanOf);
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
  const [first = '', last = first] = text.split(/[-~]/).map((part) => part.replace('교시', '').trim());
  const span = first.includes(':')
    ? { from: clockMinutes(first), to: clockMinutes(last) }
    : { from: periodStart(Number(first)), to: periodStart(Number(last)) + PERIODS.length };
  return span.from < span.to ? span : undefined;
}

export function periodStart(period: number): number {
  return PERIODS.firstStart + (period - 1) * PERIODS.length;
}

function clockMinutes(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
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
function plainText(text: string): string {
  return text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u223c\u301c]/g, '~')
    .replace(/[\u318d\u30fb\u2022]/g, '·');
}
