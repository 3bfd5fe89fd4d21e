import { DAY_MS } from '../time.ts';
import { MOISTURE_RAW_MAX, type Calibration } from './percent.ts';
import { quantile, type Point } from './series.ts';
import type { Watering } from './waterings.ts';

/** The lowest and the highest raw level of the sensor so far, without rare extremes. */
export type SensorRange = { lowest: number; highest: number };

const SEEN_MS = 7 * DAY_MS;
const WATERINGS = 2;
/** Minimum span in raw units: in a narrower span, one percent would be below the converter's resolution. */
const SPAN = 60;
/** Raw: a plant without a calibration gets an offer if its levels stay this far from an end of the scale. */
const MISSED = 102;
/** A plant with a calibration gets an offer if its levels span less than this share of the calibration. */
const MUCH_NARROWER = 0.25;

/**
 * The raw range without the lowest and highest hundredth of the levels, so that single events do not count;
 * null for less than a week. @param points without points at fault, because air is not dry soil
 */
export function sensorRange(points: readonly Point[]): SensorRange | null {
  const seen = (points.at(-1)?.time ?? 0) - (points[0]?.time ?? 0);
  if (seen < SEEN_MS) return null;
  const levels = points.map(({ level }) => level);
  return { lowest: Math.round(quantile(levels, 0.01)), highest: Math.round(quantile(levels, 0.99)) };
}

/**
 * Offers the driest and the wettest value so far as a calibration, for a plant that has been watered and
 * whose values never come near the ends of its scale; null if nothing is offered.
 * @param own the plant's calibration
 */
export function suggestCalibration(
  range: SensorRange | null,
  own: Calibration | undefined,
  waterings: readonly Watering[],
): Calibration | null {
  if (!range || waterings.length < WATERINGS) return null;
  const { lowest, highest } = range;
  const isMissed = own
    ? highest - lowest < MUCH_NARROWER * Math.abs(own.dry - own.wet)
    : lowest > MISSED || highest < MOISTURE_RAW_MAX - MISSED;
  return isMissed && highest - lowest >= SPAN ? { dry: highest, wet: lowest } : null;
}
