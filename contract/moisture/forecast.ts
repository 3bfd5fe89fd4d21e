import { DAY_MS, HOUR_MS } from '../time.ts';
import type { Calibration } from './percent.ts';
import { deviation, indexAt, median, type Point } from './series.ts';
import type { Watering } from './waterings.ts';

/** Days until the soil is as dry as its limit, and their range; `high` is null for "at least `low`". */
export type Forecast = { days: number; low: number; high: number | null };

const BLOCK_MS = DAY_MS / 4;
/** Fast drainage after a watering is not drying, so this time is left out. */
const DRAINING_MS = 6 * HOUR_MS;
const FEWEST = 2;
/** With fewer losses (two days of them) only the minimum is forecast, because all had the same weather. */
const FEWEST_FOR_END = 8;
/** Soil is expected to dry as in the so many losses nearest to its level: a week of losses, or more. */
const NEAREST = 30;
/** Future weather may make drying so many times faster or slower. */
const WEATHER = 1.35;
/** Possible error of a rate: so many standard deviations of the losses, by the root of their number. */
const ERRORS = 2;
/** In days: soil dries faster by day than by night. */
const HOURS = 0.1;
/** Percentage points: soil keeps `DRIEST` even when dry; the forecast adds at least `LEAST_LEFT` to that. */
const DRIEST = 10;
const LEAST_LEFT = 3;
/** Possible error of a level, in percentage points: small once half a day is known, larger before. */
const LEVEL = { known: 0.5, reading: 3, swing: 4 };
/** How far above all observed drying a level may lie, in percentage points. */
const UNSEEN = 15;
const STEP = 2;
/** Percentage points per day: soil that dries more slowly counts as not drying. */
const LEAST_RATE = 0.02;
/** If the end of a range is so many times its beginning, only the beginning is shown. */
const WIDEST = 4;
const DAYS_MAX = 365;
/** A range that ends within these days is shown even when it is wide: somebody has to water soon. */
const SOON_DAYS = 2.5;
/** A forecast "at least N days" is shown only when N is at least this. */
const LEAST_DAYS = 0.5;

/** The loss within a day, in percentage points, and the mean of the levels before and after. */
type Loss = { level: number; loss: number };

/** Compares six-hour blocks with the same hours of the day before, so that the daily swing cancels out. */
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
 * The rates in percentage points per day at which soil of a level dries: expected, minimum and maximum. It is
 * unknown how losses seen at another level apply: unchanged, or in proportion to the water that is left.
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
 * When the soil will be as dry as `below` percent, judged by its drying since the last watering and between
 * earlier ones; null if unknown.
 * @param points without points at fault, oldest first
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
  // Unknown: how wet soil dries if it was always much drier. Soil that got wetter was watered just now.
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
