import { DAY_MS, HOUR_MS } from '../time.ts';
import type { Calibration } from './percent.ts';
import { median, pointsBetween, quantile, type Point } from './series.ts';
import type { Watering } from './waterings.ts';

/** Days until the soil is as dry as its limit, and their range; `high` is null for "at least `low`". */
export type Forecast = { days: number; low: number; high: number | null };

const BLOCK_MS = DAY_MS / 4;
/** Fast drainage after a watering is not drying, so this time is left out. */
const DRAINING_MS = 6 * HOUR_MS;
const FEWEST = 2;
/** Soil is expected to dry as in the so many losses nearest to its level: four days of losses, or more. */
const NEAREST = 16;
/** Future weather may make drying so many times faster or slower, or as much as this share of losses did. */
const WEATHER = { times: 1.8, share: 0.08 };
/** The losses of the last two days show the present weather, those of six days how uneven it is. */
const NEWEST = { present: 8, uneven: 24 };
const LEAST_PACE = 0.25;
/** In days: soil dries faster by day than by night. */
const HOURS = 0.1;
/** Percentage points: soil keeps `DRIEST` even when dry; at least `LEAST_LEFT` is always left above that. */
const DRIEST = 12;
const LEAST_LEFT = 4;
/** Possible error of a level, in percentage points: of the soil, and of one reading. */
const LEVEL = { soil: 0.5, reading: 4 };
const STEP = 2;
/** Percentage points per day: soil that dries more slowly counts as not drying. */
const LEAST_RATE = 0.02;
/** If the end of a range is so many times its beginning, only the beginning is shown. */
const WIDEST = 4;
const DAYS_MAX = 365;
/** A range that ends within these days is shown even when it is wide: somebody has to water soon. */
const SOON_DAYS = 2.5;
/** "At least N days" must hold more often than a range: N is so many times less. */
const CAUTION = 1.3;
/** N of "at least N days": less is not worth saying, and nobody knows the weather after two weeks. */
const AT_LEAST = { fewest: 0.5, most: 14 };

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
 * Rates in percentage points per day at which soil of a level dries: expected, and `fading` in proportion to
 * the water left, because it is unknown how losses seen at a higher level apply to a lower one.
 * @param losses driest first
 */
function ratesAt(level: number, losses: readonly Loss[]) {
  const drier = losses.filter((each) => each.level < level).length;
  const first = Math.max(0, Math.min(drier - NEAREST / 2, losses.length - NEAREST));
  const near = losses.slice(first, first + NEAREST);
  const expected = Math.max(LEAST_RATE, median(near.map(({ loss }) => loss)));
  const leftAt = (percent: number) => Math.max(LEAST_LEFT, percent - DRIEST);
  const share = leftAt(level) / leftAt(median(near.map((each) => each.level)));
  return { expected, fading: Math.max(LEAST_RATE, expected * Math.min(1, share)) };
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
  const day = pointsBetween(dryings.at(-1) ?? [], last.time - DAY_MS);
  if (day.length === 0 || losses.length < FEWEST) return null;
  const loss = median(losses.slice(-NEWEST.present).map((each) => each.loss));
  const now = median(day.map(({ time, mean }) => percentOf(mean) - (loss * (last.time - time)) / DAY_MS));
  const wrong = LEVEL.soil + LEVEL.reading / Math.sqrt(day.length);
  return shown(rangeFrom(Math.max(now, below), wrong, below, losses));
}

/** The days from a level to the limit: expected, fewest and most. @param wrong possible error of the level */
function rangeFrom(top: number, wrong: number, below: number, losses: readonly Loss[]) {
  const byLevel = [...losses].sort((a, b) => a.level - b.level);
  const paces = losses
    .slice(-NEWEST.uneven)
    .map(({ level, loss }) => loss / ratesAt(level, byLevel).expected);
  // The present weather may end soon, so only the root of its pace counts.
  const pace = Math.sqrt(Math.max(LEAST_PACE, median(paces.slice(-NEWEST.present))));
  const rates = Array.from({ length: Math.ceil((top + wrong - below) / STEP) }, (_, at) =>
    ratesAt(below + (at + 0.5) * STEP, byLevel),
  );
  const daysFrom = (level: number, rate: keyof ReturnType<typeof ratesAt> = 'expected') =>
    rates
      .map((each, at) => Math.min(STEP, Math.max(0, level - below - at * STEP)) / each[rate])
      .reduce((sum, days) => sum + days, 0) / pace;
  const days = Math.max(HOURS, daysFrom(top));
  const faster = Math.max(WEATHER.times, quantile(paces, 1 - WEATHER.share));
  const slower = Math.max(WEATHER.times, 1 / Math.max(LEAST_RATE, quantile(paces, WEATHER.share)));
  const low = days / together(faster, days / daysFrom(top - wrong));
  const high = days * together(slower, daysFrom(top + wrong) / days, daysFrom(top, 'fading') / days);
  return { days, low: Math.max(0, low - HOURS), high: high + HOURS };
}

/** How many times wrong a forecast may be, by how many times each of independent causes may make it so. */
const together = (...times: readonly number[]) =>
  Math.exp(Math.hypot(...times.map((each) => Math.log(Math.max(1, each)))));

/** What is said of a range: both ends, only the first, or nothing. */
function shown({ days, low, high }: Record<'days' | 'low' | 'high', number>): Forecast | null {
  if (low >= DAYS_MAX) return null;
  const first = high <= SOON_DAYS ? Math.max(low, high / WIDEST) : low;
  const likely = Math.max(first, Math.min(days, high, DAYS_MAX));
  if (high <= WIDEST * first) return { days: likely, low: first, high };
  const least = Math.min(AT_LEAST.most, first / CAUTION);
  return least < AT_LEAST.fewest ? null : { days: likely, low: least, high: null };
}
