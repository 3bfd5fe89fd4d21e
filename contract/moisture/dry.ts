import { DAY_MS, HOUR_MS } from '../time.ts';
import { moisturePercent, type Calibration } from './percent.ts';
import { indexAt, median, noiseOf, pointsBetween, quantile, type Point, type Reading } from './series.ts';
import type { Watering } from './waterings.ts';

/** Since when a plant needs water, and the soil level that was judged at that time. */
export type DrySpell = { since: number; reading: Reading };

/** In percent: the soil is dry below `below`, and no longer dry from `clear` on. */
export type DryLimits = { below: number; clear: number };

/** Noise must not end an alert: the upper limit is at least this many standard deviations above the lower. */
const BAND = 4;
const FEWEST = 3;

/**
 * Whether a plant is dry now. It becomes dry when all levels of the last half hour are below `below`, and so
 * is the day's median or they are lower by more than the daily swing. After a watering it stops being dry
 * when all these levels reach the upper limit; else when the day's median does and no level is dry.
 * @param points without points at fault, at least of the last four days, oldest first
 * @param before the previous judgement
 */
export function judgeDry(
  points: readonly Point[],
  { below, clear }: DryLimits,
  calibration: Calibration,
  waterings: readonly Watering[],
  before: DrySpell | null,
): DrySpell | null {
  const last = points.at(-1);
  if (!last) return before;
  const percentsSince = (time: number) =>
    pointsBetween(points, time).map(({ level }) => moisturePercent(level, calibration));
  const lately = percentsSince(last.time - Math.max(HOUR_MS / 2, 2.5 * last.spacing));
  const day = percentsSince(last.time - DAY_MS);
  const span = calibration.dry - calibration.wet;
  const watered = waterings.at(-1)?.after.time ?? Number.NEGATIVE_INFINITY;
  if (!before) {
    const swing = (swingOf(pointsBetween(points, watered)) * 100) / span;
    const isDry =
      lately.length >= FEWEST &&
      lately.every((percent) => percent < below) &&
      (median(day) < below || lately.every((percent) => percent < below - swing));
    return isDry ? { since: last.time, reading: { raw: last.level, time: last.time } } : null;
  }
  const noise = Math.max(1, noiseOf(pointsBetween(points, last.time - DAY_MS)));
  const band = Math.min(100, Math.max(clear, below + (100 * BAND * noise) / span));
  const isOver =
    watered > before.since
      ? lately.every((percent) => percent >= band)
      : day.every((percent) => percent >= below) && median(day) >= band;
  return isOver ? null : before;
}

/** The daily swing, raw: half the difference of a level to the mean of the levels 12 h before and after. */
function swingOf(points: readonly Point[]): number {
  const lately = pointsBetween(points, (points.at(-1)?.time ?? 0) - 4 * DAY_MS);
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
