import { DAY_MS, HOUR_MS } from '../time.ts';
import type { Calibration } from './percent.ts';
import { deviation, indexAt, median, type Point } from './series.ts';
import type { Watering } from './waterings.ts';

/** Days until the soil is as dry as the limit, and the range in which that lies; `high` is null for "at least `low`". */
export type Forecast = { days: number; low: number; high: number | null };

const BLOCK_MS = DAY_MS / 4;
/** Fast drainage is no drying. */
const DRAINING_MS = 6 * HOUR_MS;
const FEWEST = 2;
/** Of fewer losses, which are two days, only the least is said: they are of one weather. */
const FEWEST_FOR_END = 8;
/** At a level it dries as it did the so many times that it was nearest to that, a week or more. */
const NEAREST = 30;
/** Weather to come makes drying so many times faster or slower. */
const WEATHER = 1.35;
/** Deviations of the losses, by the root of their number, that a rate may be wrong by. */
const ERRORS = 2;
/** Days: by day it dries faster than by night. */
const HOURS = 0.1;
/** Percentage points: dry soil keeps `DRIEST`, and the forecast counts with at least `LEAST_LEFT` above that. */
const DRIEST = 10;
const LEAST_LEFT = 3;
/** Points that a level may be wrong by: within a day it is known by the middle of that day, before that it swings. */
const LEVEL = { known: 0.5, reading: 3, swing: 4 };
/** Points above all that was seen to dry. */
const UNSEEN = 15;
const STEP = 2;
/** Points a day: what dries more slowly does not dry. */
const LEAST_RATE = 0.02;
/** A range whose end is so many times its beginning says no more than its beginning. */
const WIDEST = 4;
const DAYS_MAX = 365;
/** A range that ends within these days is shown even when it is wide: somebody has to water soon. */
const SOON_DAYS = 2.5;
/** A forecast "at least N days" is shown only when N is at least this. */
const LEAST_DAYS = 0.5;

/** What was lost in a day, in points, and the mean level of both ends. */
type Loss = { level: number; loss: number };

/** By blocks of six hours, compared with the same hours of the day before: what the sensor swings with the day cancels. */
function lossesOf(points: readonly Point[], percentOf: (raw: number) => number): Loss[] {
  const blocks = new Map<number, number[]>();
  for (const { time, mean } of points) {
    const block = Math.floor(time / BLOCK_MS);
    blocks.set(block, [...(blocks.get(block) ?? []), percentOf(mean)]);
  }
  return [...blocks].flatMap(([block, levels]) => {
    const before = blocks.get(block - 4);
    if (!before) return [];
    const [from, to] = [median(before), median(levels)];
    return [{ level: (from + to) / 2, loss: from - to }];
  });
}

/**
 * Points a day that soil of a level loses: as it did, and at the least and at the most. How far what was seen at another level
 * holds is not known: it may be the same, or in proportion to the water that is left.
 */
function ratesAt(level: number, losses: readonly Loss[]) {
  const near = [...losses]
    .sort((a, b) => Math.abs(a.level - level) - Math.abs(b.level - level))
    .slice(0, NEAREST);
  const rate = median(near.map(({ loss }) => loss));
  const error = (ERRORS * deviation(near.map(({ loss }) => loss - rate))) / Math.sqrt(near.length);
  const leftAt = (percent: number) => Math.max(LEAST_LEFT, percent - DRIEST);
  const share = leftAt(level) / leftAt(median(near.map((each) => each.level)));
  return {
    rate,
    slowest: ((rate - error) * Math.min(1, share)) / WEATHER,
    fastest: (rate + error) * Math.max(1, share) * WEATHER,
  };
}

/**
 * When the soil is as dry as `below` percent, by how it dried since the last watering and between those before; null where
 * that is not known.
 * @param points without those at fault, oldest first
 */
export function forecastDry(
  points: readonly Point[],
  below: number,
  { dry, wet }: Calibration,
  waterings: readonly Watering[],
): Forecast | null {
  const last = points.at(-1);
  if (!last || waterings.at(-1)?.settled === false) return null;
  const percentOf = (raw: number) => ((dry - raw) * 100) / (dry - wet);
  const starts = [Number.NEGATIVE_INFINITY, ...waterings.map(({ after }) => after.time + DRAINING_MS)];
  const ends = [...waterings.map(({ before }) => before.time), last.time];
  const dryings = starts.map((start, at) =>
    points.slice(indexAt(points, start) + 1, indexAt(points, ends[at] ?? start) + 1),
  );
  const losses = dryings.flatMap((each) => lossesOf(each, percentOf));
  const current = dryings.at(-1) ?? [];
  if (current.length === 0 || losses.length < FEWEST) return null;
  const isDay = last.time - (current[0]?.time ?? last.time) >= DAY_MS * 0.9;
  const day = current.slice(indexAt(current, last.time - (isDay ? DAY_MS : BLOCK_MS)) + 1);
  const loss = median(losses.slice(-8).map((each) => each.loss));
  const now = median(day.map(({ time, mean }) => percentOf(mean) - (loss * (last.time - time)) / DAY_MS));
  const yesterday = current[indexAt(current, last.time - DAY_MS)];
  const gained = yesterday ? percentOf(last.mean) - percentOf(yesterday.mean) : 0;
  // How wet soil dries is not known of soil that was always much drier, and what got wetter was watered just now.
  if (losses.every(({ level }) => now - level > UNSEEN) || gained > LEVEL.swing) return null;
  const wrong = isDay ? LEVEL.known + LEVEL.reading / Math.sqrt(day.length) : LEVEL.swing;
  let [days, low, high] = [0, 0, 0];
  const top = Math.max(now, below);
  for (let level = below; level < top + wrong; level += STEP) {
    const { rate, slowest, fastest } = ratesAt(level + STEP / 2, losses);
    const daysTo = (end: number, each: number) =>
      Math.max(0, Math.min(STEP, end - level)) / Math.max(LEAST_RATE, each);
    days += daysTo(top, rate);
    low += daysTo(top - wrong, fastest);
    high += daysTo(top + wrong, slowest);
  }
  low = Math.max(0, low - HOURS);
  high = losses.length < FEWEST_FOR_END ? Number.POSITIVE_INFINITY : high + HOURS;
  if (low >= DAYS_MAX) return null;
  if (high <= SOON_DAYS) low = Math.max(low, high / WIDEST);
  const likely = Math.max(low, Math.min(days, high, DAYS_MAX));
  if (high <= WIDEST * low) return { days: likely, low, high };
  return low < LEAST_DAYS ? null : { days: likely, low, high: null };
}
