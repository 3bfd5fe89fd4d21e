import { DAY_MS, HOUR_MS } from '../time.ts';
import { findFaults, withoutFaults, type Fault } from './faults.ts';
import {
  deviation,
  indexAt,
  median,
  middleOf,
  pointsOf,
  quantile,
  type Interval,
  type Point,
  type Reading,
} from './series.ts';

/**
 * Water came after `before`, the last dry reading, and left the soil at `after`, where it settles. Until it is settled it
 * may still be withdrawn, or go on.
 */
export type Watering = { before: Reading; after: Reading; settled: boolean };

/**
 * How much before an instant must be known so that what comes after it is found as in the whole history; and for how long
 * after its last dry reading a watering may still change, of a board that sends every three hours or more often.
 */
export const CONTEXT_MS = 14 * DAY_MS;

/** Over so many hours a rise is looked for: a pour, a drip, a saucer, a slow saucer; and its least before the sensor's days are known, raw. */
const WINDOWS = [
  { hours: 0.5, least: 51 },
  { hours: 2, least: 61 },
  { hours: 6, least: 92 },
  { hours: 12, least: 133 },
] as const;
/** Raw: the smallest rise that counts as a watering when the sensor has no noise. */
const LEAST = 15;
/** Raw: what rises at the same hour of each day is the day's, up to so much; more is somebody's who waters daily. */
const DAILY_AT_MOST = 61;
const DAILY_AT_FIRST = 31;
/** Deviations of what a window rises beyond the day's. */
const DEVIATIONS = 5;
/** Noise is symmetric and water is not: how much less than usual the lowest of them rise tells what is nothing. */
const LOWEST = { share: 0.03, times: 2 };
const FEWEST = 8;
/** Raw: the least rise over a fault, as sensors that are put back stand a little elsewhere. */
const LEAST_OVER_FAULT = 102;
const CARRIED_MS = 3 * DAY_MS;
/** The share of a rise that is no noise. */
const BEGUN = 0.15;

/** What a window rises that ends at a point; soil that gets wetter rises, and its raw value falls. */
type Rise = { start: number; isWatering: boolean; threshold: number };

/** How long the next dose of one watering is waited for. */
const patienceOf = ({ spacing }: Point) => Math.max(2 * HOUR_MS, 2 * spacing);

/** Of each point the window that ends there, and whether it rises beyond noise and what the days before rose. */
function risesOf(points: readonly Point[], { hours, least }: (typeof WINDOWS)[number]): Rise[] {
  const levelAt = (index: number | undefined) => points[index ?? -1]?.level ?? Number.NaN;
  const starts = points.map(({ time, spacing }, at) => {
    const start = Math.min(at - 1, indexAt(points, time - Math.max(hours * HOUR_MS, 0.75 * spacing)));
    return time - (points[start]?.time ?? 0) <= CARRIED_MS ? start : -1;
  });
  const daysBefore = [1, 2, 3].map((days) =>
    points.map((point) => {
      const index = indexAt(points, point.time - days * DAY_MS);
      return point.time - days * DAY_MS - (points[index]?.time ?? 0) <= patienceOf(point) ? index : -1;
    }),
  );
  const beyond = new Float64Array(points.length);
  let today = -1;
  let threshold: number = least;
  return points.map(({ time }, at) => {
    const start = starts[at] ?? -1;
    const rise = levelAt(start) - levelAt(at);
    const [first, second = DAILY_AT_FIRST, third = 0] = daysBefore
      .map((days) => levelAt(days[start]) - levelAt(days[at]))
      .filter((each) => !Number.isNaN(each));
    const daily =
      first === undefined ? 0 : Math.min(DAILY_AT_MOST, Math.max(0, middleOf(first, second, third)));
    beyond[at] = first === undefined ? Number.NaN : rise - daily;
    const day = time - (time % DAY_MS);
    if (day !== today) {
      today = day;
      const week = beyond.subarray(indexAt(points, day - 7 * DAY_MS - 1) + 1, at);
      const known = [...week].filter((each) => !Number.isNaN(each));
      const noise = Math.max(DEVIATIONS * deviation(known), -LOWEST.times * quantile(known, LOWEST.share));
      threshold = known.length < FEWEST ? least : Math.max(LEAST, noise);
    }
    return { start, isWatering: rise >= LEAST && rise - daily >= threshold, threshold };
  });
}

/**
 * Waterings, oldest first: rises of the level beyond noise and the day's own swing which last.
 * @param faults of the same intervals, and the points without them, where they are known already
 */
export function findWaterings(
  intervals: readonly Interval[],
  faults: readonly Fault[] = findFaults(intervals),
  points = pointsOf(withoutFaults(intervals, faults)),
): Watering[] {
  const windows = WINDOWS.map((window) => risesOf(points, window));
  const waterings: Watering[] = [];
  let from = 0;
  for (let at = 1; at < points.length; at++) {
    const rise = windows.map((rises) => rises[at]).find((each) => each?.isWatering && each.start >= from);
    if (!rise) continue;
    const found = eventAt(points, at, from, rise.threshold, faults);
    if (found.watering) waterings.push(found.watering);
    from = Math.max(at, found.end);
    at = from;
  }
  return waterings;
}

/** The whole rise to which a point belongs, and the watering that it is. */
function eventAt(
  points: readonly Point[],
  at: number,
  from: number,
  threshold: number,
  faults: readonly Fault[],
): { watering: Watering | null; end: number } {
  const begin = walk(points, at, from, threshold / 2);
  const end = walk(points, at, points.length - 1, threshold / 2);
  const start = points[begin];
  const top = points[end];
  if (!start || !top) return { watering: null, end: at };
  const base = median(points.slice(Math.max(from, begin - 2), begin + 1).map(({ level }) => level));
  const hold = Math.max(3 * HOUR_MS, 3 * top.spacing);
  // What has only begun is judged by its last two points.
  const held = points
    .slice(Math.min(end, points.length - 2), indexAt(points, top.time + hold) + 1)
    .map((point) => point.level);
  const level = median(held);
  const isOverFault = faults.some((fault) => fault.from <= top.time && (fault.to ?? top.time) >= start.time);
  const least = Math.max(
    isOverFault ? Math.max(LEAST_OVER_FAULT, 2 * threshold) : threshold * 0.8,
    (base - top.level) / 4,
  );
  if (base - quantile(held, 0.75) < least) return { watering: null, end };
  const near = base - BEGUN * (base - level);
  const levelAt = (index: number) => points[index]?.level ?? near;
  let wet = end;
  for (let index = begin + 1; index < end; index++) {
    if (levelAt(index - 1) - levelAt(index) > levelAt(wet - 1) - levelAt(wet)) wet = index;
  }
  while (wet - 1 > begin && levelAt(wet - 1) < near) wet -= 1;
  const reached = points.slice(wet, end + 1).find((point) => point.level <= level) ?? top;
  const watering = {
    before: lastDry(points, wet, near),
    after: { raw: Math.round(level), time: reached.time },
    settled: (points.at(-1)?.time ?? 0) >= top.time + hold,
  };
  return { watering, end };
}

/** The driest point of a rise before a point, or the wettest after it: beyond it none is so by a dose within the patience. */
function walk(points: readonly Point[], from: number, to: number, dose: number): number {
  const way = Math.sign(to - from);
  const patience = points[from] ? patienceOf(points[from]) : 0;
  const gain = (index: number, other: number) =>
    way * ((points[index]?.level ?? 0) - (points[other]?.level ?? 0));
  let end = from;
  for (;;) {
    let best = end;
    const time = points[end]?.time ?? 0;
    for (let index = end; index !== to;) {
      index += way;
      const isNext = way < 0 && index === end + way;
      if (!isNext && Math.abs((points[index]?.time ?? 0) - time) > patience) break;
      if (gain(best, index) > 0) best = index;
    }
    if (gain(end, best) < dose && end !== from) return best;
    if (best === end) return end;
    end = best;
  }
}

/** The last reading before the water: of the point before the first wet one, or the driest of that or the next if water came in it. */
function lastDry(points: readonly Point[], wet: number, near: number): Reading {
  const { interval } =
    points
      .slice(wet, wet + 2)
      .findLast(({ interval: { lowest, highest } }) => highest.raw >= near && highest.time < lowest.time) ??
    points[wet - 1] ??
    {};
  return interval?.highest ?? { raw: near, time: 0 };
}
