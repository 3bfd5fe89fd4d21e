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

/** Over so many hours a rise is looked for: a pour, a drip, a saucer, a slow saucer. */
const WINDOWS = [0.5, 2, 6, 12] as const;
/** Raw: the smallest rise that counts as a watering when the sensor has no noise. */
const LEAST = 15;
/** Raw, by window: the least rise before the sensor's days are known. */
const LEAST_AT_FIRST = [51, 61, 92, 133] as const;
/** Raw: what rises at the same hour of each day is the day's, up to so much; more is somebody's who waters daily. */
const DAILY_AT_MOST = 61;
const DAILY_AT_FIRST = 31;
/** Deviations of what a window rises beyond the day's. */
const DEVIATIONS = 5;
/** Noise is symmetric and water is not: how much less than usual the lowest of them rise tells what is nothing. */
const LOWEST = { share: 0.03, times: 2 };
/** Raw: the least rise over a fault, as sensors that are put back stand a little elsewhere. */
const LEAST_OVER_FAULT = 102;
const CARRIED_MS = 3 * DAY_MS;

/** What a sensor's levels rose, by windows, in raw values: soil that gets wetter rises. */
class Rises {
  readonly points: readonly Point[];
  /** By point: the levels at its hour of one, two and three days before; NaN where they are not known. */
  readonly #daysBefore: readonly Float64Array[];
  /** By window and point: what it rose beyond the days before; NaN where they are not known. */
  readonly #beyond: readonly Float64Array[];
  readonly #thresholds = new Map<number, number>();

  constructor(points: readonly Point[]) {
    this.points = points;
    this.#daysBefore = [1, 2, 3].map((days) => {
      let index = -1;
      return Float64Array.from(points, ({ time }, at) => {
        const then = time - days * DAY_MS;
        while (this.timeAt(index + 1) <= then) index += 1;
        return then - this.timeAt(index) <= this.patience(at) ? this.levelAt(index) : Number.NaN;
      });
    });
    this.#beyond = WINDOWS.map((_, window) =>
      Float64Array.from(points, (_point, at) => {
        const start = this.startOf(at, window, 0);
        return start < at ? this.#rise(at, start) - (this.#daily(at, start) ?? Number.NaN) : Number.NaN;
      }),
    );
  }

  levelAt(index: number): number {
    return this.points[index]?.level ?? Number.NaN;
  }

  timeAt(index: number): number {
    return this.points[index]?.time ?? Number.NaN;
  }

  /** The point where the window begins that ends at a point, none before `from`; the point itself where there is none. */
  startOf(at: number, window: number, from: number): number {
    const time = this.timeAt(at);
    const length = Math.max((WINDOWS[window] ?? 0) * HOUR_MS, 0.75 * (this.points[at]?.spacing ?? 0));
    const start = Math.max(from, Math.min(at - 1, indexAt(this.points, time - length)));
    return time - this.timeAt(start) <= CARRIED_MS ? start : at;
  }

  #rise = (at: number, start: number) => this.levelAt(start) - this.levelAt(at);

  /** What the same window rose on most of the three days before; null where none of them is known. */
  #daily(at: number, start: number): number | null {
    const rises: number[] = [];
    for (const levels of this.#daysBefore) {
      const rise = (levels[start] ?? 0) - (levels[at] ?? 0);
      if (!Number.isNaN(rise)) rises.push(rise);
    }
    const [first, second, third] = rises;
    if (first === undefined) return null;
    // Of one or two days one may have been that of a watering.
    const usual =
      second === undefined || third === undefined
        ? Math.min(first, second ?? DAILY_AT_FIRST)
        : middleOf(first, second, third);
    return Math.min(DAILY_AT_MOST, Math.max(0, usual));
  }

  /** Whether the window that ends at a point, and does not begin before `from`, rises beyond noise; if so its threshold. */
  crossed(at: number, window: number, from: number): number | null {
    const start = this.startOf(at, window, from);
    const rise = this.#rise(at, start);
    if (!(rise >= LEAST)) return null;
    const threshold = this.#threshold(at, window);
    return rise - (this.#daily(at, start) ?? 0) >= threshold ? threshold : null;
  }

  /** What a window must rise to be more than the sensor's own noise, by the week before its day. */
  #threshold(at: number, window: number): number {
    const day = this.timeAt(at) - (this.timeAt(at) % DAY_MS);
    const known = this.#thresholds.get(day + window);
    if (known !== undefined) return known;
    const last = indexAt(this.points, day - 1) + 1;
    const week = this.#beyond[window]?.subarray(indexAt(this.points, day - 7 * DAY_MS) + 1, last) ?? [];
    const beyond = [...week].filter((rise) => !Number.isNaN(rise));
    const isKnown = beyond.length >= 8;
    const noise = Math.max(DEVIATIONS * deviation(beyond), -LOWEST.times * quantile(beyond, LOWEST.share));
    const threshold = isKnown ? Math.max(LEAST, noise) : (LEAST_AT_FIRST[window] ?? 0);
    this.#thresholds.set(day + window, threshold);
    return threshold;
  }

  /** The patience between the doses of one watering. */
  patience(at: number): number {
    return Math.max(2 * HOUR_MS, 2 * (this.points[at]?.spacing ?? 0));
  }
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
  const rises = new Rises(points);
  const waterings: Watering[] = [];
  let from = 0;
  for (let at = 1; at < points.length; at++) {
    let threshold: number | null = null;
    for (let window = 0; window < WINDOWS.length; window++) threshold ??= rises.crossed(at, window, from);
    if (threshold === null) continue;
    const found = eventAt(rises, at, from, threshold, faults);
    if (found.watering) waterings.push(found.watering);
    from = Math.max(at, found.end);
    at = from;
  }
  return waterings;
}

/** The whole rise to which a point belongs, and the watering that it is. */
function eventAt(
  rises: Rises,
  at: number,
  from: number,
  threshold: number,
  faults: readonly Fault[],
): { watering: Watering | null; end: number } {
  const { points } = rises;
  const dose = threshold / 2;
  const begin = walkBack(rises, at, from, dose);
  const end = walkOn(rises, at, dose);
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
  const settled = (points.at(-1)?.time ?? 0) >= top.time + hold;
  const isOverFault = faults.some((fault) => fault.from <= top.time && (fault.to ?? top.time) >= start.time);
  const least = Math.max(
    isOverFault ? Math.max(LEAST_OVER_FAULT, 2 * threshold) : threshold * 0.8,
    (base - top.level) / 4,
  );
  if (base - quantile(held, 0.75) < least) return { watering: null, end };
  const { wet, near } = firstWet(rises, begin, end, base, level);
  const reached = points.slice(wet, end + 1).find((point) => point.level <= level) ?? top;
  const watering = {
    before: lastDry(points, wet, near),
    after: { raw: Math.round(level), time: reached.time },
    settled,
  };
  return { watering, end };
}

/** The last point before a rise: before it the level was nowhere lower by a dose within the patience. */
function walkBack(rises: Rises, at: number, from: number, dose: number): number {
  let begin = at;
  for (;;) {
    const earliest = indexAt(rises.points, (rises.points[begin]?.time ?? 0) - rises.patience(at) - 1) + 1;
    let driest = begin;
    for (let index = begin - 1; index >= Math.max(from, Math.min(earliest, begin - 1)); index--) {
      if (rises.levelAt(index) > rises.levelAt(driest)) driest = index;
    }
    if (rises.levelAt(driest) - rises.levelAt(begin) < (begin === at ? Number.MIN_VALUE : dose)) return begin;
    begin = driest;
  }
}

/** The wettest point of a rise: after it none is wetter by a dose within the patience. */
function walkOn(rises: Rises, at: number, dose: number): number {
  let end = at;
  for (;;) {
    const latest = indexAt(rises.points, (rises.points[end]?.time ?? 0) + rises.patience(at));
    let wettest = end;
    for (let index = end + 1; index <= latest; index++) {
      if (rises.levelAt(index) < rises.levelAt(wettest)) wettest = index;
    }
    if (rises.levelAt(end) - rises.levelAt(wettest) < dose) return wettest;
    end = wettest;
  }
}

/** The first wet point of a rise: where it is steepest, or of a slow one where a tenth of it has come; and what is still dry. */
function firstWet(rises: Rises, begin: number, end: number, base: number, level: number) {
  let [steepest, rise] = [begin, 0];
  for (let at = begin + 1; at <= end; at++) {
    const step = rises.levelAt(rises.startOf(at, 0, begin)) - rises.levelAt(at);
    if (step > rise) [steepest, rise] = [at, step];
  }
  const isPour = rise > (base - level) / 2;
  const from = isPour ? rises.startOf(steepest, 0, begin) : begin;
  const near = isPour ? rises.levelAt(from) - rise / 4 : base - (base - level) / 10;
  let wet = from + 1;
  while (wet < end && rises.levelAt(wet) > near) wet += 1;
  return { wet, near };
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
