import { DAY_MS, HOUR_MS } from '../time.ts';
import { findFaults, withoutFaults, type Fault } from './faults.ts';
import {
  deviation,
  indexAt,
  median,
  pointsOf,
  spacingsOf,
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
/** Raw: the least rise that is told, of a sensor without noise. */
const LEAST = 15;
/** Raw, by window: the least rise before the sensor's days are known. */
const LEAST_AT_FIRST = [51, 61, 92, 133] as const;
/** Raw: what rises at the same hour of each day is the day's, up to so much; more is somebody's who waters daily. */
const DAILY_AT_MOST = 61;
/** Deviations of what a window rises beyond the day's. */
const DEVIATIONS = 4;
/** Raw: the least rise over a fault, as sensors that are put back stand a little elsewhere. */
const LEAST_OVER_FAULT = 102;
const CARRIED_MS = 3 * DAY_MS;

/** What a sensor's levels rose, by points and windows, in raw values: soil that gets wetter rises. */
class Rises {
  readonly points: readonly Point[];
  readonly spacings: readonly number[];
  readonly #usual = new Map<string, { known: boolean; threshold: number }>();

  constructor(points: readonly Point[]) {
    this.points = points;
    this.spacings = spacingsOf(points);
  }

  levelAt(index: number): number {
    return this.points[index]?.level ?? Number.NaN;
  }

  /** The start of the window that ends at a point: never before `from`. */
  startOf(at: number, window: number, from: number): number {
    const time = this.points[at]?.time ?? 0;
    const length = Math.max((WINDOWS[window] ?? 0) * HOUR_MS, 0.75 * (this.spacings[at] ?? 0));
    const start = Math.max(from, Math.min(at - 1, indexAt(this.points, time - length)));
    return time - (this.points[start]?.time ?? 0) > CARRIED_MS ? at : start;
  }

  /** What the same window rose on the three days before; null where that is not known. */
  #daily(at: number, start: number): number | null {
    const [from, to] = [this.points[start]?.time ?? 0, this.points[at]?.time ?? 0];
    const patience = Math.max(2 * HOUR_MS, 2 * (this.spacings[at] ?? 0));
    const before = [1, 2, 3].flatMap((days) => {
      const rises = [from, to].map((time) => {
        const index = indexAt(this.points, time - days * DAY_MS);
        const isNear = time - days * DAY_MS - (this.points[index]?.time ?? 0) <= patience;
        return isNear ? this.levelAt(index) : Number.NaN;
      });
      const rise = (rises[0] ?? 0) - (rises[1] ?? 0);
      return Number.isNaN(rise) ? [] : [rise];
    });
    return before.length === 0 ? null : Math.min(DAILY_AT_MOST, Math.max(0, median(before)));
  }

  /** The rise of a window beyond that of the days before. */
  beyond(at: number, start: number): number {
    return this.levelAt(start) - this.levelAt(at) - (this.#daily(at, start) ?? 0);
  }

  /** What a window must rise to be more than the sensor's own noise, by the week before its day. */
  threshold(at: number, window: number): number {
    const time = this.points[at]?.time ?? 0;
    const day = time - (time % DAY_MS);
    const key = `${String(day)} ${String(window)}`;
    let found = this.#usual.get(key);
    if (!found) {
      const last = indexAt(this.points, day - 1);
      const first = indexAt(this.points, day - 7 * DAY_MS) + 1;
      const rises: number[] = [];
      for (let index = first; index <= last; index++) {
        const start = this.startOf(index, window, 0);
        if (start < index && this.#daily(index, start) !== null) rises.push(this.beyond(index, start));
      }
      const known = last >= 0 && (this.points[last]?.time ?? 0) - (this.points[first]?.time ?? 0) > DAY_MS;
      found = {
        known: known && rises.length >= 8,
        threshold: Math.max(LEAST, DEVIATIONS * deviation(rises.length > 0 ? rises : [0])),
      };
      this.#usual.set(key, found);
    }
    return found.known ? found.threshold : Math.max(LEAST_AT_FIRST[window] ?? 0, found.threshold);
  }

  /** The patience between the doses of one watering. */
  patience(at: number): number {
    return Math.max(2 * HOUR_MS, 2 * (this.spacings[at] ?? 0));
  }
}

/**
 * Waterings, oldest first: rises of the level beyond noise and the day's own swing which last.
 * @param faults of the same intervals, where they are known already
 */
export function findWaterings(
  intervals: readonly Interval[],
  faults: readonly Fault[] = findFaults(intervals),
): Watering[] {
  const rises = new Rises(pointsOf(withoutFaults(intervals, faults)));
  const { points } = rises;
  const waterings: Watering[] = [];
  let from = 0;
  for (let at = 1; at < points.length; at++) {
    const threshold = crossed(rises, at, from);
    if (threshold === null) continue;
    const found = eventAt(rises, at, from, threshold, faults);
    if (found.watering) waterings.push(found.watering);
    from = Math.max(at, found.end);
    at = from;
  }
  return waterings;
}

/** The threshold that a window which ends here has crossed, if any; no window begins before `from`. */
function crossed(rises: Rises, at: number, from: number): number | null {
  for (const window of WINDOWS.keys()) {
    const start = rises.startOf(at, window, from);
    if (start >= at || rises.levelAt(start) - rises.levelAt(at) < LEAST) continue;
    const threshold = rises.threshold(at, window);
    if (rises.beyond(at, start) >= threshold) return threshold;
  }
  return null;
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
  const hold = Math.max(3 * HOUR_MS, 3 * (rises.spacings[end] ?? 0));
  const held = points.slice(end, indexAt(points, top.time + hold) + 1);
  const level = median(held.map((point) => point.level));
  const settled = (points.at(-1)?.time ?? 0) >= top.time + hold;
  const isOverFault = faults.some((fault) => fault.from <= top.time && (fault.to ?? top.time) >= start.time);
  const least = Math.max(
    isOverFault ? Math.max(LEAST_OVER_FAULT, 2 * threshold) : threshold * 0.8,
    (base - top.level) / 4,
  );
  if (held.length < 2 || base - level < least) return { watering: null, end };
  const near = base - Math.min((base - level) / 4, dose / 2);
  const wet = points.findIndex((point, index) => index > begin && point.level < near);
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
