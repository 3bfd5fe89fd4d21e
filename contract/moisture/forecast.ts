import { DAY_MS, HOUR_MS } from '../time.ts';
import type { Calibration } from './percent.ts';
import { median, robustStandardDeviation, pointsBetween, quantile, type Point } from './series.ts';
import type { Watering } from './waterings.ts';

/** Days until the soil is as dry as its limit, and their range; `high` is null for "at least `low`". */
export type Forecast = { days: number; low: number; high: number | null };

const BLOCK_MS = DAY_MS / 4;
/** Fast drainage after a watering is not drying, so this time is left out. */
const DRAINING_MS = 6 * HOUR_MS;
/** A loss is the level's fall in 24 hours, four a day. A forecast needs `any` losses, its range `range`. */
const FEWEST = { any: 2, range: 24 };
/** How many last losses (two days) show the present weather; all losses show the usual weather. */
const PRESENT = 8;
/** This share of the losses is smaller than the slowest drying; the same share exceeds the fastest. */
const EXTREME = 0.03;
/** In percent: dry soil still has `DRIEST`; the water above `DRIEST` counts as at least `LEAST_LEFT`. */
const DRIEST = 10;
const LEAST_LEFT = 4;
/** Possible error of a level, in percentage points: of the soil, and of one reading. */
const LEVEL = { soil: 0.5, reading: 2 };
/** Percentage points per day: soil that dries more slowly counts as not drying. */
const LEAST_RATE = 0.02;
/** Future weather may dry soil this many times faster or slower; a range's ends differ by a factor of 4. */
const WEATHER = { faster: 1.9, slower: 2.1 };
const DAYS_MAX = 365;
/** "At least N days" must be wrong less often than a range, so N is divided by this. */
const CAUTION = 1.3;
/** Limits of N in "at least N days": a smaller N is useless, and nobody knows the weather after two weeks. */
const AT_LEAST = { fewest: 0.25, most: 14 };

/**
 * The quantity that falls by the same amount every day while soil dries: in some soils the level, in most
 * soils the square root of the water that is left.
 */
const EVEN = (percent: number) => percent;
const ROOT = (percent: number) => 2 * Math.sqrt(Math.max(LEAST_LEFT, percent - DRIEST));
/** `EVEN` is used if its losses vary by less than this share of the variation of the losses by `ROOT`. */
const CLEARLY = 0.8;

/** Pairs of levels of six-hour blocks, 24 hours apart, so that the daily swing cancels out. */
function dayPairsOf(
  points: readonly Point[],
  percentOf: (raw: number) => number,
): [from: number, to: number][] {
  const blocks = new Map<number, number[]>();
  for (const { time, mean } of points) {
    const block = Math.floor(time / BLOCK_MS);
    blocks.set(block, [...(blocks.get(block) ?? []), percentOf(mean)]);
  }
  return [...blocks].flatMap(([block, levels]) => {
    const before = blocks.get(block - 4);
    return before ? [[median(before), median(levels)]] : [];
  });
}

/** How much losses vary, as a share of their median. */
function spreadOf(losses: readonly number[]): number {
  const usual = median(losses);
  return robustStandardDeviation(losses.map((loss) => loss - usual)) / usual;
}

/**
 * When the soil will be as dry as `below` percent; null if unknown. The rate is how fast the soil has dried
 * since the last watering and between earlier waterings.
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
  const pairs = dryings.flatMap((each) => dayPairsOf(each, percentOf));
  const day = pointsBetween(dryings.at(-1) ?? [], last.time - DAY_MS);
  if (day.length === 0 || pairs.length < FEWEST.any) return null;
  const lossesOf = (scaleOf: typeof EVEN) => pairs.map(([from, to]) => scaleOf(from) - scaleOf(to));
  const isEven = spreadOf(lossesOf(EVEN)) < CLEARLY * spreadOf(lossesOf(ROOT));
  const scaleOf = isEven ? EVEN : ROOT;
  const losses = lossesOf(scaleOf);
  const drying = median(lossesOf(EVEN).slice(-PRESENT));
  const level = median(day.map(({ time, mean }) => percentOf(mean) - (drying * (last.time - time)) / DAY_MS));
  const leastRate = LEAST_RATE * (scaleOf(level + 1) - scaleOf(level));
  const daysFrom = (percent: number, loss: number) =>
    Math.max(0, scaleOf(percent) - scaleOf(below)) / Math.max(leastRate, loss);
  const wrong = LEVEL.soil + LEVEL.reading / Math.sqrt(day.length);
  const usual = median(losses);
  const present = Math.max(usual / 4, median(losses.slice(-PRESENT)));
  const days = daysFrom(level, Math.sqrt(Math.max(0, usual * present)));
  const soonest = daysFrom(level - wrong, quantile(losses, 1 - EXTREME));
  const latest = daysFrom(level + wrong, quantile(losses, EXTREME));
  const low = days / WEATHER.faster;
  if (Math.min(low, soonest) >= DAYS_MAX) return null;
  const isKnown = losses.length >= FEWEST.range && latest <= WEATHER.faster * WEATHER.slower * soonest;
  if (isKnown) return { days, low, high: days * WEATHER.slower };
  const least = Math.min(AT_LEAST.most, Math.min(low, soonest) / CAUTION);
  return least < AT_LEAST.fewest ? null : { days: Math.max(least, days), low: least, high: null };
}
