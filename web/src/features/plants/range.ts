/** How far back the chart looks. */
export const RANGES = [
  { name: '24h', label: '24시간', hours: 24 },
  { name: '7d', label: '7일', hours: 7 * 24 },
  { name: '30d', label: '30일', hours: 30 * 24 },
  { name: 'all', label: '전체', hours: undefined },
] as const;

export type RangeName = (typeof RANGES)[number]['name'];

export function readRange(value: unknown): RangeName | undefined {
  return RANGES.find(({ name }) => name === value)?.name;
}

/** Where a range begins, as the API takes it; undefined for everything. */
export function rangeStart(range: RangeName, now: number): string | undefined {
  const hours = RANGES.find(({ name }) => name === range)?.hours;
  return hours === undefined ? undefined : new Date(now - hours * 3_600_000).toISOString();
}
