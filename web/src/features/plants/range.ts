import { plantNameSchema } from '#contract/plant-id';
import { EARLIEST_READING_TIME, type PlantState } from '#contract/plants';
import { DAY_MS, HOUR_MS, MINUTE_MS, seoulDay } from '#contract/time';
import { seoulDayStart } from '../../lib/seoul-time.ts';

/** The named ranges: how far back the chart goes. */
export const RANGES = [
  { name: '24h', label: '24시간', hours: 24 },
  { name: '7d', label: '7일', hours: 7 * 24 },
  { name: '30d', label: '30일', hours: 30 * 24 },
  { name: '90d', label: '90일', hours: 90 * 24 },
  { name: '1y', label: '1년', hours: 365 * 24 },
  { name: 'all', label: '전체', hours: undefined },
] as const;

export type RangeName = (typeof RANGES)[number]['name'];

/** Search parameters: named range or from–to (ISO), selected plants, and the plant with open settings. */
export type PlantsSearch = {
  range?: RangeName;
  from?: string;
  to?: string;
  plants?: readonly string[];
  settings?: string;
};

/** A time range, in milliseconds since 1970. */
export type TimeSpan = { from: number; to: number };

export const SHORTEST_TIME_SPAN_MS = MINUTE_MS;
export const EARLIEST_DAY = seoulDay(EARLIEST_READING_TIME);
const EARLIEST = Date.parse(seoulDayStart(EARLIEST_DAY));

/** Reads the address. Ignores invalid values, and time ranges that are not possible (see `isPossible`). */
export function readPlantsSearch(
  { range, from, to, plants, settings }: Record<string, unknown>,
  now: number,
): PlantsSearch {
  const name = RANGES.find((each) => each.name === range)?.name;
  const stretch = timeSpanOf({
    ...(typeof from === 'string' && { from }),
    ...(typeof to === 'string' && { to }),
  });
  // A selected day ends at midnight, so a range that includes today ends up to a day in the future.
  const isPossible = stretch && stretch.from >= EARLIEST && stretch.to <= now + DAY_MS;
  return {
    ...(name !== undefined && { range: name }),
    ...(isPossible && searchOf(stretch)),
    ...plantsIn(plants),
    ...(typeof settings === 'string' && { settings }),
  };
}

function plantsIn(given: unknown): Pick<PlantsSearch, 'plants'> {
  if (!Array.isArray(given)) return {};
  const plants = given.flatMap((plant) => plantNameSchema.safeParse(plant).data ?? []);
  return plants.length > 0 || given.length === 0 ? { plants: [...new Set(plants)] } : {};
}

export function timeSpanOf({ from, to }: PlantsSearch): TimeSpan | undefined {
  const stretch = { from: Date.parse(from ?? ''), to: Date.parse(to ?? '') };
  return stretch.to - stretch.from >= SHORTEST_TIME_SPAN_MS ? stretch : undefined;
}

/** The requested readings: in `stretch` if set, otherwise in `range` up to now. No `plants` means all. */
export type ReadingQuery = {
  range: RangeName;
  stretch?: TimeSpan | undefined;
  plants?: readonly string[] | undefined;
};

/** @param opening the range if the address has none */
export function readingQueryOf(search: PlantsSearch, opening: RangeName): ReadingQuery {
  return { range: search.range ?? opening, stretch: timeSpanOf(search), plants: search.plants };
}

/** The shortest range in which each shown plant has a reading. Plants without any reading are ignored. */
export function openingRange(
  states: readonly Pick<PlantState, 'plant' | 'last_datetime'>[],
  plants: readonly string[] | undefined,
  now: number,
): RangeName {
  const newest = states
    .filter(({ plant }) => plants?.includes(plant) ?? true)
    .flatMap(({ last_datetime: at }) => (at === null ? [] : Date.parse(at)));
  const oldest = Math.min(...newest);
  return RANGES.find(({ name }) => (rangeStart(name, now) ?? 0) <= oldest)?.name ?? 'all';
}

export function searchOf({ from, to }: TimeSpan): { from: string; to: string } {
  return { from: isoSecond(from), to: isoSecond(to) };
}

function isoSecond(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** Start of a range; undefined for all readings. */
export function rangeStart(range: RangeName, now: number): number | undefined {
  const hours = RANGES.find(({ name }) => name === range)?.hours;
  return hours === undefined ? undefined : now - hours * HOUR_MS;
}

/** The time range that ends at `end`; the range of all readings starts at `first`. */
export function timeSpanUpTo(end: number, range: RangeName, first: number): TimeSpan {
  return { from: rangeStart(range, end) ?? first, to: end };
}

/** Selected calendar days (`2026-03-02`). */
export type Days = { first: string; last: string };

export function dayProblems({ first, last }: Days, today: string): Partial<Days> {
  if (first === '') return { first: '시작일을 입력하세요' };
  if (last === '') return { last: '종료일을 입력하세요' };
  if (first < EARLIEST_DAY) return { first: `시작일은 ${EARLIEST_DAY.slice(0, 4)}년부터 고를 수 있습니다` };
  if (first > today) return { first: '시작일은 오늘까지만 고를 수 있습니다' };
  if (last > today) return { last: '종료일은 오늘까지만 고를 수 있습니다' };
  if (last < first) return { last: '종료일이 시작일보다 빠릅니다' };
  return {};
}

/** Zooms around the middle: `factor` below 1 zooms in. Stays between the first possible reading and `now`. */
export function zoomRange({ from, to }: TimeSpan, factor: number, now: number): TimeSpan {
  const half = (Math.max(SHORTEST_TIME_SPAN_MS, (to - from) * factor) + 1000) / 2;
  const middle = (from + to) / 2;
  return within({ from: middle - half, to: middle + half }, now);
}

/** Moves a range by `part` of its length (back if negative), between the first possible reading and `now`. */
export function moveRange({ from, to }: TimeSpan, part: number, now: number): TimeSpan {
  const by = (to - from) * part;
  return within({ from: from + by, to: to + by }, now);
}

function within({ from, to }: TimeSpan, now: number): TimeSpan {
  const beyond = Math.max(0, to - now);
  return {
    from: Math.max(EARLIEST, from - beyond),
    to: Math.max(EARLIEST + SHORTEST_TIME_SPAN_MS + 1000, to - beyond),
  };
}
