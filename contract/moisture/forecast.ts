import { DAY_MS, HOUR_MS } from '../time.ts';
import type { Calibration } from './percent.ts';
import { medianAbsoluteDeviation, indexAt, median, pointsBetween, type Point } from './series.ts';
import type { Watering } from './waterings.ts';

/** Days until the soil is as dry as its limit, and their range; `high` is null for "at least `low`". */
export type Forecast = { days: number; low: number; high: number | null };

const BLOCK_MS = DAY_MS / 4;
/** Fast drainage after a watering is not drying, so this time is left out. */
const DRAINING_MS = 6 * HOUR_MS;
const FEWEST = 2;
/** With fewer losses (two days of them) only the minimum is forecast, because all had the same weather. */
const FEWEST_FOR_END = 8;
/** Soil is expected to dry as in the so many losses nearest to its level: four days of losses, or more. */
const NEAREST = 16;
/** Future weather may make drying so many times faster or slower. */
const WEATHER = { faster: 1.6, slower: 1.9 };
/** Errors come partly together: between their sum (1) and the root of the sum of their squares (2). */
const TOGETHER = 1.5;
/** In days: soil dries faster by day than by night. */
const HOURS = 0.1;
/** Percentage points: soil keeps `DRIEST` even when dry; at least `LEAST_LEFT` is always left above that. */
const DRIEST = 12;
const LEAST_LEFT = 4;
/** Possible error of a level, in percentage points: small once half a day is known, larger before. */
const LEVEL = { known: 0.5, reading: 4, swing: 3 };
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
/** "At least N days" must hold more often than a range: N is so many times less. */
const CAUTION = 1.15;
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
 * Rates in percentage points per day at which soil of a level dries: expected, in error, and `fading` in
 * proportion to the water left, because it is unknown how losses seen at a higher level apply to a lower one.
 */
function ratesAt(level: number, losses: readonly Loss[]) {
  const near = [...losses]
    .sort((a, b) => Math.abs(a.level - level) - Math.abs(b.level - level))
    .slice(0, NEAREST);
  const rate = median(near.map(({ loss }) => loss));
  const error = medianAbsoluteDeviation(near.map(({ loss }) => loss - rate)) / Math.sqrt(near.length);
  const leftAt = (percent: number) => Math.max(LEAST_LEFT, percent - DRIEST);
  const share = leftAt(level) / leftAt(median(near.map((each) => each.level)));
  return { expected: rate, faster: rate + error, slower: rate - error, fading: rate * Math.min(1, share) };
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
  const dryings = [...waterings, undefined].map((next, at) =>
    pointsBetween(points, (waterings[at - 1]?.after.time ?? -DRAINING_MS) + DRAINING_MS, next?.before.time),
  );
  const losses = dryings.flatMap((each) => lossesOf(each, percentOf));
  const current = dryings.at(-1) ?? [];
  const [first] = current;
  if (!first || losses.length < FEWEST) return null;
  const isDay = last.time - first.time >= DAY_MS * 0.9;
  const day = pointsBetween(current, last.time - (isDay ? DAY_MS : BLOCK_MS));
  const loss = median(losses.slice(-8).map((each) => each.loss));
  const now = median(day.map(({ time, mean }) => percentOf(mean) - (loss * (last.time - time)) / DAY_MS));
  const yesterday = current[indexAt(current, last.time - DAY_MS)];
  const gained = yesterday ? percentOf(last.mean) - percentOf(yesterday.mean) : 0;
  // Unknown: how wet soil dries if it was always much drier. Soil that got wetter was watered just now.
  if (losses.every(({ level }) => now - level > UNSEEN) || gained > LEVEL.swing) return null;
  const wrong = isDay ? LEVEL.known + LEVEL.reading / Math.sqrt(day.length) : LEVEL.swing;
  const range = rangeFrom(Math.max(now, below), wrong, below, losses);
  return losses.length < FEWEST_FOR_END ? shown({ ...range, high: Number.POSITIVE_INFINITY }) : shown(range);
}

/** The days from a level to the limit: expected, fewest and most. @param wrong possible error of the level */
function rangeFrom(top: number, wrong: number, below: number, losses: readonly Loss[]) {
  const rates = Array.from({ length: Math.ceil((top + wrong - below) / STEP) }, (_, at) =>
    ratesAt(below + (at + 0.5) * STEP, losses),
  );
  const daysFrom = (level: number, rate: keyof (typeof rates)[number]) => {
    const daysIn = (each: (typeof rates)[number], at: number) =>
      Math.min(STEP, Math.max(0, level - below - at * STEP)) / Math.max(LEAST_RATE, each[rate]);
    return rates.reduce((days, each, at) => days + daysIn(each, at), 0);
  };
  const days = Math.max(HOURS, daysFrom(top, 'expected'));
  const low =
    days / together(WEATHER.faster, days / daysFrom(top - wrong, 'expected'), days / daysFrom(top, 'faster'));
  const longer = [daysFrom(top + wrong, 'expected'), daysFrom(top, 'slower'), daysFrom(top, 'fading')];
  const high = days * together(WEATHER.slower, ...longer.map((each) => each / days));
  return { days, low: Math.max(0, low - HOURS), high: high + HOURS };
}

/** How many times wrong a forecast may be, by how many times each cause alone may make it so. */
const together = (...times: readonly number[]) =>
  Math.exp(times.reduce((sum, each) => sum + Math.log(Math.max(1, each)) ** TOGETHER, 0) ** (1 / TOGETHER));

/** What is said of a range: both ends, only the first, or nothing. */
function shown({ days, low, high }: Record<'days' | 'low' | 'high', number>): Forecast | null {
  if (low >= DAYS_MAX) return null;
  const first = high <= SOON_DAYS ? Math.max(low, high / WIDEST) : low;
  const likely = Math.max(first, Math.min(days, high, DAYS_MAX));
  if (high <= WIDEST * first) return { days: likely, low: first, high };
  const least = first / CAUTION;
  return least < LEAST_DAYS ? null : { days: likely, low: least, high: null };
}
