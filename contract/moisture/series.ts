import { HOUR_MS } from '../time.ts';

/** A raw reading; `time` in milliseconds since 1970, here and in all rules. */
export type Reading = { raw: number; time: number };

/**
 * The readings from `start` to `start + width`, as stored in plant_rollups; at least one reading. The rules
 * need intervals in order and without overlaps, of any widths: new ones may be narrow and old ones wide.
 */
export type Interval = {
  start: number;
  width: number;
  count: number;
  sum: number;
  /** `lowest` is the earliest of several lowest readings, `highest` the latest of several highest ones. */
  lowest: Reading;
  highest: Reading;
};

/** One interval as the rules see it. */
export type Point = {
  /** Time of the interval's newest known reading. */
  time: number;
  /** The mean raw value; of more than two readings, without the lowest and highest, which may be spikes. */
  mean: number;
  /** The median of the means of this point and its neighbours. */
  level: number;
  /** The usual time between two points: the median of the last three gaps, at least five minutes. */
  spacing: number;
  interval: Interval;
};

/** The quantile of a list: a `share` of the values lies below it. NaN for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = new Float64Array(values).sort();
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  return at % 1 === 0 ? low : low + ((sorted[Math.ceil(at)] ?? low) - low) * (at % 1);
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

/** The standard deviation of normally distributed values, from their median distance from 0. */
export const robustStandardDeviation = (values: readonly number[]) => 1.4826 * median(values.map(Math.abs));

/** The lowest and the highest reading of an interval, in the order of time. */
export const extremesByTime = ({ lowest, highest }: Interval) =>
  lowest.time < highest.time ? ([lowest, highest] as const) : ([highest, lowest] as const);

function meanOf({ count, sum, lowest, highest }: Interval): number {
  return count > 2 ? (sum - lowest.raw - highest.raw) / (count - 2) : sum / count;
}

/** The median of three values, or the mean of the defined ones. */
export function medianOfThree(before: number | undefined, own: number, after: number | undefined): number {
  if (before === undefined || after === undefined) return (own + (before ?? after ?? own)) / 2;
  return Math.max(Math.min(before, own), Math.min(Math.max(before, own), after));
}

export function pointsOf(intervals: readonly Interval[]): Point[] {
  const means = intervals.map(meanOf);
  const times = intervals.map((interval) => extremesByTime(interval)[1].time);
  const gapAt = (at: number) => (times[at] ?? Number.NaN) - (times[at - 1] ?? Number.NaN);
  return intervals.map((interval, at) => {
    const gap = at > 2 ? medianOfThree(gapAt(at - 2), gapAt(at - 1), gapAt(at)) : gapAt(Math.max(at, 1));
    return {
      time: times[at] ?? 0,
      mean: means[at] ?? 0,
      level: medianOfThree(means[at - 1], means[at] ?? 0, means[at + 1]),
      spacing: Math.max(HOUR_MS / 12, gap || HOUR_MS),
      interval,
    };
  });
}

/** Index of the last point that is not later than `time`; -1 if all points are later. */
export function indexAt(points: readonly Pick<Point, 'time'>[], time: number): number {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.time ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The points later than `from`, up to `to`. */
export const pointsBetween = (points: readonly Point[], from: number, to = Number.POSITIVE_INFINITY) =>
  points.slice(indexAt(points, from) + 1, indexAt(points, to) + 1);

/** The standard deviation of the points' noise, raw, from the steps between points; 0 without a step. */
export function noiseOf(points: readonly Point[]): number {
  const steps = points.slice(1).map(({ mean }, at) => mean - (points[at]?.mean ?? mean));
  return steps.length === 0 ? 0 : robustStandardDeviation(steps) / Math.SQRT2;
}
