import { DAY_MS, HOUR_MS } from '../time.ts';
import { plantPercent, type Calibration } from './percent.ts';
import { median, type Point } from './series.ts';
import type { Watering } from './waterings.ts';

/** Days until the soil is as dry as the limit, and the range in which that lies; `high` is null for "at least `low`". */
export type Forecast = { days: number; low: number; high: number | null };

/** Null where it is not known yet. */
export function forecastDry(
  points: readonly Point[],
  below: number,
  calibration: Calibration,
  waterings: readonly Watering[],
): Forecast | null {
  const from = (waterings.at(-1)?.after.time ?? Number.NEGATIVE_INFINITY) + 6 * HOUR_MS;
  const since = points.filter(({ time }) => time >= from);
  const last = since.at(-1);
  if (!last) return null;
  const percentOf = ({ level }: Point) => plantPercent(level, calibration);
  const losses = since.flatMap((point) => {
    const before = since.findLast(({ time }) => time <= point.time - DAY_MS);
    return before ? [((percentOf(before) - percentOf(point)) * DAY_MS) / (point.time - before.time)] : [];
  });
  const rate = median(losses);
  if (!(rate > 0.4)) return null;
  const days = Math.max(0, (percentOf(last) - below) / rate);
  return { days, low: days * 0.7, high: days * 1.5 };
}
