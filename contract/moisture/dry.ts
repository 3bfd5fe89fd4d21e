import { DAY_MS, HOUR_MS } from '../time.ts';
import { moisturePercent, type Calibration } from './percent.ts';
import { deviation, indexAt, median, quantile, type Point, type Reading } from './series.ts';
import type { Watering } from './waterings.ts';

/** Since when a plant needs water, and the level of its soil that was judged then. */
export type Dry = { since: number; reading: Reading };

/** Percent: dry below `below`, and no longer so from `clear` on. */
export type Limits = { below: number; clear: number };

/** Deviations of a reading from the soil, between which it may start and end to be dry. */
const BAND = 4;
const FEWEST = 3;

/**
 * Whether a plant is dry now. It is so when all levels of the hold are below the limit, and those of half the day too or
 * all by more than the sensor swings with the day. It is so no longer when all levels of the hold after a watering are at the
 * upper limit; without one half of the day must be, and nothing of it dry.
 * @param points without those at fault, the last four days at least, oldest first
 * @param before what was judged last
 */
export function judgeDry(
  points: readonly Point[],
  { below, clear }: Limits,
  calibration: Calibration,
  waterings: readonly Watering[],
  before: Dry | null,
): Dry | null {
  const last = points.at(-1);
  if (!last) return before;
  const percentsSince = (time: number) =>
    points.slice(indexAt(points, time) + 1).map(({ level }) => moisturePercent(level, calibration));
  const lately = percentsSince(last.time - Math.max(HOUR_MS / 2, 2.5 * last.spacing));
  const day = percentsSince(last.time - DAY_MS);
  const span = calibration.dry - calibration.wet;
  const watered = waterings.at(-1)?.after.time ?? Number.NEGATIVE_INFINITY;
  if (!before) {
    const swing = (swingOf(points.slice(indexAt(points, watered) + 1)) * 100) / span;
    const isDry =
      lately.length >= FEWEST &&
      lately.every((percent) => percent < below) &&
      (median(day) < below || lately.every((percent) => percent < below - swing));
    return isDry ? { since: last.time, reading: { raw: last.level, time: last.time } } : null;
  }
  const band = Math.min(100, Math.max(clear, below + (100 * BAND * noiseOf(points)) / span));
  const isOver =
    watered > before.since
      ? lately.every((percent) => percent >= band)
      : day.every((percent) => percent >= below) && median(day) >= band;
  return isOver ? null : before;
}

/** How far a level swings with the day, raw: half of what it differs from the mean of twelve hours before and after. */
function swingOf(points: readonly Point[]): number {
  const lately = points.slice(indexAt(points, (points.at(-1)?.time ?? 0) - 4 * DAY_MS) + 1);
  const first = lately[0]?.time ?? 0;
  const end = lately.at(-1)?.time ?? 0;
  const levelAt = (time: number) => lately[indexAt(lately, time)]?.level ?? Number.NaN;
  const swings = lately
    .filter(({ time }) => time - first >= DAY_MS / 2 && end - time >= DAY_MS / 2)
    .map(
      ({ time, level }) =>
        Math.abs(level - (levelAt(time - DAY_MS / 2) + levelAt(time + DAY_MS / 2)) / 2) / 2,
    );
  return swings.length < FEWEST ? 0 : quantile(swings, 0.9);
}

/** The deviation of one point from the soil, raw, by the last day's steps; at least 1, as a converter has steps. */
function noiseOf(points: readonly Point[]): number {
  const day = points.slice(indexAt(points, (points.at(-1)?.time ?? 0) - DAY_MS) + 1);
  const steps = day.slice(1).map(({ mean }, at) => (mean - (day[at]?.mean ?? mean)) / Math.SQRT2);
  return Math.max(1, steps.length === 0 ? 0 : deviation(steps));
}
