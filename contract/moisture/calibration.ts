import { DAY_MS } from '../time.ts';
import type { Calibration } from './percent.ts';
import { quantile, type Point } from './series.ts';
import type { Watering } from './waterings.ts';

/** The raw values between which the sensor has moved so far. */
export type SensorRange = { lowest: number; highest: number };

const SEEN_MS = 7 * DAY_MS;
const WATERINGS = 2;
/** Minimum span in raw units: in a narrower span, one percent would be below the converter's resolution. */
const SPAN = 60;
/** How far the sensor must stay away from an end of its scale, as a share of the scale. */
const MISSED = 0.1;

/**
 * The raw range without the lowest and highest hundredth of the levels, so that no single event counts; null
 * before a week of readings. @param points without points at fault, because air is not dry soil
 */
export function sensorRange(points: readonly Point[]): SensorRange | null {
  const seen = (points.at(-1)?.time ?? 0) - (points[0]?.time ?? 0);
  if (seen < SEEN_MS) return null;
  const levels = points.map(({ level }) => level);
  return { lowest: Math.round(quantile(levels, 0.01)), highest: Math.round(quantile(levels, 0.99)) };
}

/**
 * Offers the driest and the wettest value so far as a calibration, for a plant that has been watered and
 * never comes near the ends of its scale; null if there is nothing to offer.
 */
export function offerCalibration(
  range: SensorRange | null,
  { dry, wet }: Calibration,
  waterings: readonly Watering[],
): Calibration | null {
  if (!range || waterings.length < WATERINGS || range.highest - range.lowest < SPAN) return null;
  const near = MISSED * (dry - wet);
  const isMissed = range.lowest > wet + near || range.highest < dry - near;
  return isMissed ? { dry: range.highest, wet: range.lowest } : null;
}
