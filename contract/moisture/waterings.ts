import { DAY_MS, HOUR_MS } from '../time.ts';
import { findFaults, withoutFaults, type Fault } from './faults.ts';
import {
  robustStandardDeviation,
  indexAt,
  median,
  medianOfThree,
  pointsOf,
  quantile,
  type Interval,
  type Point,
  type Reading,
} from './series.ts';

/**
 * Water came after `before`, the last dry reading, and the soil settled at `after`. While `settled` is false,
 * later readings may extend or withdraw the watering.
 */
export type Watering = { before: Reading; after: Reading; settled: boolean };

/**
 * How much history to load before a period. In less history the search would find other waterings than in the
 * whole. If the board sends at least every three hours, a watering is final this long after `before`.
 */
export const WATERING_LOOKBACK_MS = 14 * DAY_MS;

/** Hours in which a rise is searched (pour, drip, saucer, slow saucer), and the least rise (raw) at first. */
const WINDOWS = [
  { hours: 0.5, least: 51 },
  { hours: 2, least: 61 },
  { hours: 6, least: 123 },
  { hours: 12, least: 164 },
] as const;
/** Raw: the smallest rise that counts as a watering when the sensor has no noise. */
const LEAST = 12;
/** Raw: up to this, a rise at the same hour each day is daily swing; a greater rise is daily watering. */
const DAILY_AT_MOST = 61;
const DAILY_AT_FIRST = 31;
/** How many standard deviations a window must rise beyond the daily swing. */
const DEVIATIONS = 5;
/** Noise goes up and down equally, water only up, so the lowest rises (the falls) measure the noise. */
const LOWEST = { share: 0.03, times: 2 };
const FEWEST = 8;
/** Raw: the minimum rise across a fault, because a sensor is put back at a slightly different place. */
const LEAST_OVER_FAULT = 102;
const CARRIED_MS = 3 * DAY_MS;
/** A level beyond this share of a rise is wet; a level below it may be noise. */
const BEGUN = 0.15;

/** The rise within a window that ends at a point. A rise means wetter soil, so the raw value falls. */
type Rise = { start: number; isWatering: boolean; threshold: number };

/** How long to wait for the next dose of the same watering. */
const patienceOf = ({ spacing }: Point) => Math.max(2 * HOUR_MS, 2 * spacing);

/** For each point: the window that ends there, and whether its rise exceeds noise and daily rises. */
function risesOf(points: readonly Point[], { hours, least }: (typeof WINDOWS)[number]): Rise[] {
  const levelAt = (index: number | undefined) => points[index ?? -1]?.level ?? Number.NaN;
  const starts = points.map(({ time, spacing }, at) => {
    const start = Math.min(at - 1, indexAt(points, time - Math.max(hours * HOUR_MS, 0.75 * spacing)));
    return time - (points[start]?.time ?? 0) <= CARRIED_MS ? start : -1;
  });
  const daysBefore = [1, 2, 3, 4, 5].map((days) =>
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
      first === undefined ? 0 : Math.min(DAILY_AT_MOST, Math.max(0, medianOfThree(first, second, third)));
    beyond[at] = first === undefined ? Number.NaN : rise - daily;
    const day = time - (time % DAY_MS);
    if (day !== today) {
      today = day;
      const week = beyond.subarray(indexAt(points, day - 7 * DAY_MS - 1) + 1, at);
      const known = [...week].filter((each) => !Number.isNaN(each));
      const lowest = -LOWEST.times * quantile(known, LOWEST.share);
      threshold =
        known.length < FEWEST ? least : Math.max(LEAST, lowest, DEVIATIONS * robustStandardDeviation(known));
    }
    return { start, isWatering: rise >= LEAST && rise - daily >= threshold, threshold };
  });
}

/**
 * Waterings, oldest first: lasting rises of the level beyond noise and daily swing.
 * @param faults the faults of `intervals`; `points` lie outside the faults; both are computed if absent
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

/** Finds the whole rise to which a point belongs, and its watering; null if the rise is no watering. */
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
  // A rise that has only begun is judged by its last two points.
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

/** Finds the driest (or wettest) point of a rise in steps: a step that gains less than `dose` is the last. */
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

/** The last reading before the water: in the first two wet points' intervals, or in the point before. */
function lastDry(points: readonly Point[], wet: number, near: number): Reading {
  const { interval } =
    points
      .slice(wet, wet + 2)
      .findLast(({ interval: { lowest, highest } }) => highest.raw >= near && highest.time < lowest.time) ??
    points[wet - 1] ??
    {};
  return interval?.highest ?? { raw: near, time: 0 };
}
