import { DAY_MS } from '../time.ts';
import { plantPercent, type Calibration } from './percent.ts';
import type { Point, Reading } from './series.ts';
import type { Watering } from './waterings.ts';

/** Since when a plant needs water, and the level of its soil that was judged then. */
export type Dry = { since: number; reading: Reading };

/** Percent: dry below `below`, and no longer so from `clear` on. */
export type Limits = { below: number; clear: number };

/**
 * Whether a plant is dry now.
 * @param points the last day at least, oldest first
 * @param hold milliseconds for which it must have been so
 * @param noise of one point, raw
 */
export function judgeDry(
  points: readonly Point[],
  { below, clear }: Limits,
  calibration: Calibration,
  {
    hold,
    noise,
    waterings,
    before,
  }: { hold: number; noise: number; waterings: readonly Watering[]; before: Dry | null },
): Dry | null {
  const last = points.at(-1);
  if (!last) return before;
  const percentsSince = (time: number) =>
    points.filter((point) => point.time > time).map(({ level }) => plantPercent(level, calibration));
  const lately = percentsSince(last.time - hold);
  if (!before) {
    const isDry = lately.length >= 3 && lately.every((percent) => percent < below);
    return isDry ? { since: last.time, reading: { raw: last.level, time: last.time } } : null;
  }
  const band = Math.min(100, Math.max(clear, below + (400 * noise) / (calibration.dry - calibration.wet)));
  const isWatered = waterings.some((each) => each.after.time > before.since);
  const day = percentsSince(last.time - DAY_MS);
  const isOver = isWatered
    ? lately.every((percent) => percent >= band)
    : day.every((percent) => percent >= below) &&
      day.filter((percent) => percent >= band).length * 2 > day.length;
  return isOver ? null : before;
}
