import { DAY_MS } from '../time.ts';
import { MOISTURE_RAW_MAX, type Calibration } from './percent.ts';
import { quantile, type Point } from './series.ts';
import type { Watering } from './waterings.ts';

/** The raw values between which the sensor has moved so far. */
export type SensorRange = { lowest: number; highest: number };

const SEEN_MS = 7 * DAY_MS;
const WATERINGS = 2;
/** Minimum span in raw units: in a narrower span, one percent would be below the converter's resolution. */
const SPAN = 60;
/** Raw: how far a sensor without calibration stays away from an end of the converter. */
const MISSED = 102;
/** Somebody chose the two points of a calibrated plant: only a much narrower sensor contradicts them. */
const MUCH_NARROWER = 0.25;

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
 * @param own the plant's calibration
 */
export function offerCalibration(
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
