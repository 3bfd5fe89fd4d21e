import { HOUR_MS, MINUTE_MS } from '../time.ts';

/** A raw reading; `time` in milliseconds since 1970, here and in all rules. */
export type Reading = { raw: number; time: number };

/**
 * The readings of `start` to `start + width`, as plant_rollups keeps them, never without a reading. Rules take them ordered
 * and without overlaps, of any widths: the newest ones may be narrow and the old ones wide.
 */
export type Interval = {
  start: number;
  width: number;
  count: number;
  sum: number;
  /** The earliest of several lowest, and the latest of several highest. */
  lowest: Reading;
  highest: Reading;
};

/** One interval as the rules see it. */
export type Point = {
  /** Of its newest reading that is known. */
  time: number;
  /** The mean raw value, without the two extremes where there are more than two readings: one spike is none. */
  mean: number;
  /** The median of the means of this point and its neighbours. */
  level: number;
  interval: Interval;
};

export const mean = (values: readonly number[]) =>
  values.reduce((sum, each) => sum + each, 0) / values.length;

/** The value below which a share of the list lies; NaN for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  return low + ((sorted[Math.ceil(at)] ?? low) - low) * (at % 1);
}

/** NaN for an empty list. */
export const median = (values: readonly number[]) => quantile(values, 0.5);

const ends = ({ lowest, highest }: Interval) =>
  lowest.time < highest.time ? ([lowest, highest] as const) : ([highest, lowest] as const);

function trimmedMean({ count, sum, lowest, highest }: Interval): number {
  return count > 2 ? (sum - lowest.raw - highest.raw) / (count - 2) : sum / count;
}

export function pointsOf(intervals: readonly Interval[]): Point[] {
  const means = intervals.map(trimmedMean);
  return intervals.map((interval, at) => ({
    time: ends(interval)[1].time,
    mean: means[at] ?? 0,
    level: median(means.slice(Math.max(0, at - 1), at + 2)),
    interval,
  }));
}

const LATELY = 50;

/** How often the board sends, by its last fifty intervals, in milliseconds; null before its second reading. */
export function everyOf(intervals: readonly Interval[]): number | null {
  const gaps = intervals.slice(-LATELY).flatMap((interval, at, lately) => {
    const before = lately[at - 1];
    if (interval.count > 1) {
      const [first, last] = ends(interval);
      // With two readings the ends are all there is; of more they are any two.
      return [interval.count === 2 ? last.time - first.time : interval.width / interval.count];
    }
    return before ? [interval.lowest.time - ends(before)[1].time] : [];
  });
  const gap = median(gaps.filter((each) => each > 0));
  return Number.isNaN(gap) ? null : gap;
}

/** How long a state must last to be believed: half an hour, and three readings. */
export const holdOf = (every: number | null) => Math.max(HOUR_MS / 2, 2.5 * (every ?? 0), 10 * MINUTE_MS);
