import { DAY_MS, HOUR_MS } from '../time.ts';
import { isFaulty, type Fault } from './faults.ts';
import { holdOf, everyOf, median, pointsOf, type Interval, type Reading } from './series.ts';

/**
 * Water came after `before`, the last dry reading, and left the soil at `after`, where it settles. Until it is settled it
 * may still be withdrawn.
 */
export type Watering = { before: Reading; after: Reading; settled: boolean };

/** So much before the first watering that is looked for must be known for it to be found as in the whole history. */
export const CONTEXT_MS = 14 * DAY_MS;

const RISE = 51;

/** Waterings, oldest first. */
export function findWaterings(intervals: readonly Interval[], faults: readonly Fault[]): Watering[] {
  const points = pointsOf(intervals).filter(({ time }) => !isFaulty(faults, time));
  const hold = holdOf(everyOf(intervals));
  const waterings: Watering[] = [];
  for (let at = 1; at < points.length; at++) {
    const point = points[at];
    if (!point) break;
    const from = points.findIndex(({ time }) => time >= point.time - Math.max(2 * HOUR_MS, hold));
    const dry = points.slice(from, at).findLast(({ level }) => level - point.level >= RISE);
    if (!dry) continue;
    const next = points.slice(at).filter(({ time }) => time <= point.time + hold);
    const level = median(next.map((each) => each.level));
    const settled = (points.at(-1)?.time ?? 0) > point.time + hold;
    at += next.length;
    if (next.length < 2 || dry.level - level < RISE) continue;
    waterings.push({
      before: dry.interval.highest,
      after: { raw: Math.round(level), time: point.time },
      settled,
    });
  }
  return waterings;
}
