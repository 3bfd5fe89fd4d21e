import { plainWords } from '../../lib/search-text.ts';
import { cancelledField, subjectKey, type ListedSubject } from './merged.ts';
import { clockText, DAY_NAMES, NO_NAME_OR_ROOM, parseTimetable, type Slot } from './timetable.ts';

/** One meeting of a subject in the week. */
export type WeekBlock = Slot & { key: string; subject: ListedSubject };

/** Subjects that need the same room or professor at the same time. */
export type Clash = {
  kind: 'room' | 'prof';
  /** The room or the professor that clashes. */
  what: string;
  day: number;
  from: number;
  to: number;
  blocks: WeekBlock[];
};

type Week = {
  blocks: WeekBlock[];
  /** Subjects that are not in the week: their time could not be fully parsed, or they are not taught. */
  asText: { subject: ListedSubject; text: string }[];
  clashes: Clash[];
};

export function weekTimetable(subjects: readonly ListedSubject[]): Week {
  const blocks: WeekBlock[] = [];
  const asText: Week['asText'] = [];
  for (const subject of subjects) {
    const { slots, unread } = parseTimetable(subject.time);
    const isTaught = cancelledField(subject) === undefined;
    // A meeting with a missing or wrong time would hide a clash or show a wrong clash.
    if (!isTaught || unread.length > 0 || slots.length === 0) {
      asText.push({ subject, text: isTaught ? subject.time.trim() || '시간 없음' : '폐강' });
      continue;
    }
    const key = subjectKey(subject);
    for (const [index, slot] of withRooms(slots, subject.classroom).entries()) {
      blocks.push({ ...slot, key: `${key} ${index}`, subject });
    }
  }
  const clashes = [
    ...clashesOf('room', blocks, ({ room }) => room?.split(TOGETHER) ?? []),
    ...clashesOf('prof', blocks, ({ subject }) => namesOf(subject.prof)),
  ].sort((a, b) => a.day - b.day || a.from - b.from);
  return { blocks, asText, clashes };
}

/** The names in a list such as `한가람(70%), 윤서준(30%)` or `한가람 교수&윤서준`. */
const namesOf = (profs: string) =>
  profs
    .replace(/\([^)]*\)/g, '')
    .split(/[^\p{L}\p{N}\s.'-]+/u)
    .map((name) => /^\s*([가-힣]{2,})\s/.exec(name)?.[1] ?? name);

/** The rooms that a cell lists: `공401, 공502`. */
export const roomsIn = (classroom: string) =>
  classroom
    .split(/[,/\n;+&]/)
    .map((room) => room.trim())
    .filter((room) => room !== '');

/** Times, days or a piece of a number beside a room: `월:공401`, `공401(월)`, `공401~402`, `2`. */
const UNCLEAR_ROOM = /[:~]|^\d\d?$|(?:^|\()[월화수목금토](?:\s|[,)])/;
/** `공401 및 공402`, `공401→공402`, but not `302-208`. */
const TWO_NUMBERS = /\d{2}[\p{L}\d]*[^-\p{L}\d].*\d{2}/u;

/**
 * Whether a text is no single room's name, or a part of a name: `402` in `공401, 402`.
 * @param isSplit whether another flag of the row already says that the cell has several rooms
 */
export function isUnclearRoom(room: string, listed: readonly string[] = [], isSplit = false): boolean {
  if (UNCLEAR_ROOM.test(room)) return true;
  if (/^\d+$/.test(room)) return listed.some((each) => /\p{L}/u.test(each));
  return !isSplit && TWO_NUMBERS.test(room.replace(/\(.*?\)/g, ''));
}

/** Separator between a meeting's rooms. */
const TOGETHER = ' / ';

/**
 * Adds rooms from the classroom cell to meetings without a room. If there are as many rooms as meetings, each
 * meeting gets the room at its position; otherwise each meeting gets all rooms.
 */
function withRooms(slots: readonly Slot[], classroom: string): Slot[] {
  const own = parseTimetable(classroom);
  const listed = roomsIn(classroom);
  return slots.map((slot, index) => {
    if (slot.room !== undefined) return { ...slot };
    const told = own.slots.find(
      ({ day, from, to }) => day === slot.day && from < slot.to && slot.from < to,
    )?.room;
    const room = told ?? (own.slots.length > 0 ? listed[0] : listed.join(TOGETHER) || undefined);
    const inOrder = listed.length === slots.length && own.slots.length === 0 ? listed[index] : room;
    return { ...slot, ...(inOrder !== undefined && { room: inOrder }) };
  });
}

function clashesOf(
  kind: Clash['kind'],
  blocks: readonly WeekBlock[],
  namesOf: (block: WeekBlock) => string[],
): Clash[] {
  const groups = new Map<string, { what: string; blocks: WeekBlock[] }>();
  for (const block of blocks) {
    for (const name of new Set(namesOf(block).map((each) => each.trim()))) {
      if (name === '' || NO_NAME_OR_ROOM.test(name)) continue;
      const key = `${block.day} ${plainWords(name)}`;
      const group = groups.get(key) ?? { what: name, blocks: [] };
      group.blocks.push(block);
      groups.set(key, group);
    }
  }
  return [...groups.values()].flatMap(({ what, blocks: group }) =>
    overlapGroups(group.filter((block) => group.some((other) => clash(block, other)))).flatMap((together) => {
      const [first] = together;
      if (!first) return [];
      const to = Math.max(...together.map((block) => block.to));
      return [{ kind, what, day: first.day, from: first.from, to, blocks: together }];
    }),
  );
}

/**
 * Whether two blocks of one day overlap and belong to different subjects. The same id in two departments is
 * one subject; sections of a course have different ids.
 */
function clash(a: WeekBlock, b: WeekBlock): boolean {
  return a.subject.id !== b.subject.id && a.from < b.to && b.from < a.to;
}

/** Groups the blocks of a day that overlap, in the order of their start times. */
export function overlapGroups<Span extends { from: number; to: number }>(spans: readonly Span[]): Span[][] {
  const groups: Span[][] = [];
  let end = 0;
  for (const span of spans.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const group = groups.at(-1);
    if (group && span.from < end) group.push(span);
    else groups.push([span]);
    end = groups.at(-1) === group ? Math.max(end, span.to) : span.to;
  }
  return groups;
}

/** A block, its lane, and the number of lanes in its group of overlapping blocks. */
export type PlacedBlock = { block: WeekBlock; lane: number; lanes: number };

/** Places a day's blocks side by side, without overlaps. */
export function placeBlocksOfDay(blocks: readonly WeekBlock[]): PlacedBlock[] {
  return overlapGroups(blocks).flatMap((group) => {
    const laneEnds: number[] = [];
    const placed = group.map((block) => {
      const free = laneEnds.findIndex((end) => end <= block.from);
      const lane = free === -1 ? laneEnds.length : free;
      laneEnds[lane] = block.to;
      return { block, lane };
    });
    return placed.map(({ block, lane }) => ({ block, lane, lanes: laneEnds.length }));
  });
}

/** `월 09:00–11:00` */
export function slotText({ day, from, to }: Slot): string {
  return `${DAY_NAMES[day] ?? ''} ${clockText(from)}–${clockText(to)}`;
}

export function clashText({ kind, what, blocks, ...slot }: Clash): string {
  const names = [...new Set(blocks.map(({ subject }) => `${subject.name}(${subject.id})`))].join(', ');
  return `${slotText(slot)} · ${kind === 'room' ? '강의실' : '교수'} ${what} 겹침: ${names}`;
}
