/** How far back the chart looks. */
import { HOUR_MS, MINUTE_MS } from '#contract/time';

export const RANGES = [
  { name: '24h', label: '24시간', hours: 24 },
  { name: '7d', label: '7일', hours: 7 * 24 },
  { name: '30d', label: '30일', hours: 30 * 24 },
  { name: '90d', label: '90일', hours: 90 * 24 },
  { name: '1y', label: '1년', hours: 365 * 24 },
  { name: 'all', label: '전체', hours: undefined },
] as const;

export type RangeName = (typeof RANGES)[number]['name'];

/** What the address says: a range up to now, or a stretch of time (ISO), and the plants if not all. */
export type PlantsSearch = { range?: RangeName; from?: string; to?: string; plants?: readonly string[] };

/** A stretch that was chosen or zoomed to, in milliseconds since 1970. */
export type Stretch = { from: number; to: number };

export const SHORTEST_MS = MINUTE_MS;

/** Takes what it understands of an address; the rest counts as not there. */
export function readSearch({ range, from, to, plants }: Record<string, unknown>): PlantsSearch {
  const name = RANGES.find((each) => each.name === range)?.name;
  const stretch = stretchOf({
    ...(typeof from === 'string' && { from }),
    ...(typeof to === 'string' && { to }),
  });
  const names = Array.isArray(plants) ? plants.filter((plant) => typeof plant === 'string') : undefined;
  return {
    ...(name !== undefined && { range: name }),
    ...(stretch && searchOf(stretch)),
    ...(names && { plants: [...new Set(names)] }),
  };
}

export function stretchOf({ from, to }: PlantsSearch): Stretch | undefined {
  const stretch = { from: Date.parse(from ?? ''), to: Date.parse(to ?? '') };
  return stretch.to - stretch.from >= SHORTEST_MS ? stretch : undefined;
}

/** What of the past is asked for: a range up to now, or a stretch of time. Without `plants` every plant. */
export type Past = {
  range: RangeName;
  stretch?: Stretch | undefined;
  plants?: readonly string[] | undefined;
};

/** What a search asks for; without a range the last day. */
export function pastOf(search: PlantsSearch): Past {
  return { range: search.range ?? '24h', stretch: stretchOf(search), plants: search.plants };
}

export function searchOf({ from, to }: Stretch): { from: string; to: string } {
  return { from: isoSecond(from), to: isoSecond(to) };
}

function isoSecond(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** Where a range begins; undefined for everything. */
export function rangeStart(range: RangeName, now: number): number | undefined {
  const hours = RANGES.find(({ name }) => name === range)?.hours;
  return hours === undefined ? undefined : now - hours * HOUR_MS;
}

/** The stretch of a range that goes on to `end`; everything begins at the first reading. */
export function stretchUpTo(end: number, range: RangeName, first: number): Stretch {
  return { from: rangeStart(range, end) ?? first, to: end };
}

/** Whole days of the calendar (`2026-03-02`), as they are chosen. */
export type Days = { first: string; last: string };

/** What keeps the days from being shown, by field. */
export function dayProblems({ first, last }: Days, today: string): Partial<Days> {
  if (first === '') return { first: '첫날을 입력하세요.' };
  if (last === '') return { last: '마지막 날을 입력하세요.' };
  if (first > today) return { first: '첫날은 오늘까지만 고를 수 있습니다.' };
  if (last > today) return { last: '마지막 날은 오늘까지만 고를 수 있습니다.' };
  if (last < first) return { last: '마지막 날이 첫날보다 앞섭니다.' };
  return {};
}

/** `factor` below 1 zooms in, above 1 out, about the middle; never beyond `now`. */
export function zoomed({ from, to }: Stretch, factor: number, now: number): Stretch {
  const half = (Math.max(SHORTEST_MS, (to - from) * factor) + 1000) / 2;
  const middle = (from + to) / 2;
  return notAfter({ from: middle - half, to: middle + half }, now);
}

/** Moves by a part of its own length, negative into the past; never beyond `now`. */
export function moved({ from, to }: Stretch, part: number, now: number): Stretch {
  const by = (to - from) * part;
  return notAfter({ from: from + by, to: to + by }, now);
}

function notAfter({ from, to }: Stretch, now: number): Stretch {
  const beyond = Math.max(0, to - now);
  return { from: from - beyond, to: to - beyond };
}
