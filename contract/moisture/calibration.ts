import type { Calibration } from './percent.ts';
import { quantile, type Point } from './series.ts';
import type { Watering } from './waterings.ts';

/** Raw values between which the sensor was seen to move. */
export type Range = { lowest: number; highest: number };

/** Null before it was seen for a week. */
export function rangeOf(points: readonly Point[]): Range | null {
  const levels = points.map(({ level }) => level);
  const span = (points.at(-1)?.time ?? 0) - (points[0]?.time ?? 0);
  if (span < 7 * 86_400_000) return null;
  return { lowest: Math.round(quantile(levels, 0.01)), highest: Math.round(quantile(levels, 0.99)) };
}

/** Two points for a plant whose readings never come near the ends of its scale; null where there is nothing to offer. */
export function offerCalibration(
  range: Range | null,
  calibration: Calibration,
  waterings: readonly Watering[],
): Calibration | null {
  if (!range || waterings.length < 2 || range.highest - range.lowest < 60) return null;
  const tenth = (calibration.dry - calibration.wet) / 10;
  const isNear = range.lowest <= calibration.wet + tenth && range.highest >= calibration.dry - tenth;
  return isNear ? null : { dry: range.highest, wet: range.lowest };
}
