import { DAY_MS } from '../time.ts';
import type { Calibration } from './percent.ts';
import { quantile, type Point } from './series.ts';
import type { Watering } from './waterings.ts';

/** Raw values between which the sensor was seen to move. */
export type Range = { lowest: number; highest: number };

const SEEN_MS = 7 * DAY_MS;
const WATERINGS = 2;
/** Raw: of a narrower span a percent would be less than the converter can tell. */
const SPAN = 60;
/** The share of the scale by which an end must be missed. */
const MISSED = 0.1;

/**
 * All but the lowest and the highest hundredth of the levels, so that no single event counts; null before a week was seen.
 * @param points without those at fault: air is no dry soil
 */
export function rangeOf(points: readonly Point[]): Range | null {
  const seen = (points.at(-1)?.time ?? 0) - (points[0]?.time ?? 0);
  if (seen < SEEN_MS) return null;
  const levels = points.map(({ level }) => level);
  return { lowest: Math.round(quantile(levels, 0.01)), highest: Math.round(quantile(levels, 0.99)) };
}

/**
 * The driest and the wettest that were seen, for a plant that has been watered and never comes near the ends of its scale;
 * null where there is nothing to offer.
 */
export function offerCalibration(
  range: Range | null,
  { dry, wet }: Calibration,
  waterings: readonly Watering[],
): Calibration | null {
  if (!range || waterings.length < WATERINGS || range.highest - range.lowest < SPAN) return null;
  const near = MISSED * (dry - wet);
  const isMissed = range.lowest > wet + near || range.highest < dry - near;
  return isMissed ? { dry: range.highest, wet: range.lowest } : null;
}
