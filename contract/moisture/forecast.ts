import { DAY_MS, HOUR_MS } from '../time.ts';
import type { Calibration } from './percent.ts';
import { deviation, indexAt, median, quantile, type Point } from './series.ts';
import type { Watering } from './waterings.ts';

/** Days until the soil is as dry as the limit, and the range in which that lies; `high` is null for "at least `low`". */
export type Forecast = { days: number; low: number; high: number | null };

const BLOCK_MS = DAY_MS / 4;
/** Fast drainage is no drying. */
const DRAINING_MS = 6 * HOUR_MS;
/** So many losses of a day, four a day, say how quickly it dries now. */
const LATELY = 16;
const FEWEST = 2;
/** Weather to come makes drying so much faster, or slower, than lately: the least, if all days were alike, and the most. */
const FASTER = { least: 1.2, most: 1.35 };
const SLOWER = { least: 1.35, most: 1.5 };
/** How far a rate falls with the water that is left, where 1 is in proportion to it: what is expected, and the most; in a fast drying a share of the expected. */
const BEND = { expected: 0.75, most: 0.9, least: 0.7 };
/** Points that a level may be wrong by: within a day it is known by the middle of that day, before that it swings. */
const LEVEL = { known: 0.5, reading: 4, swing: 4 };
/** A range whose end is so many times its beginning says no more than its beginning. */
const WIDEST = 4;
const DAYS_MAX = 365;
/** A range that ends within these days is shown even when it is wide: somebody has to water soon. */
const SOON_DAYS = 1.5;
/** A forecast "at least N days" is shown only when N is at least this. */
const LEAST_DAYS = 0.5;

/** What was lost in the day before an instant, in points, and the mean level of both ends. */
type Loss = { time: number; level: number; loss: number };

/** By blocks of six hours, compared with the same hours of the day before: what the sensor swings with the day cancels. */
function lossesOf(points: readonly Point[], percentOf: (raw: number) => number): Loss[] {
  const blocks = new Map<number, number[]>();
  for (const { time, mean } of points) {
    const block = Math.floor(time / BLOCK_MS);
    const levels = blocks.get(block);
    if (levels) levels.push(percentOf(mean));
    else blocks.set(block, [percentOf(mean)]);
  }
  return [...blocks].flatMap(([block, levels]) => {
    const before = blocks.get(block - 4);
    if (!before) return [];
    const [from, to] = [median(before), median(levels)];
    return [{ time: block * BLOCK_MS, level: (from + to) / 2, loss: from - to }];
  });
}

/** By how much more a day is lost for each point of level: of each two losses of one drying at different levels. */
function bendsOf(losses: readonly Loss[]): number[] {
  const some = losses.slice(-40);
  return some.flatMap(({ level, loss }, at) =>
    some
      .slice(0, at)
      .filter((other) => Math.abs(other.level - level) > 4)
      .map((other) => (loss - other.loss) / (level - other.level)),
  );
}

/** Days until `rest` points are lost. The first day loses `rate` points; the rate falls by `slope` with each lost point. */
function daysFor(rest: number, rate: number, slope: number): number {
  if (rate <= 0) return Number.POSITIVE_INFINITY;
  const share = (slope * rest) / rate;
  if (share < 0.01) return rest / rate;
  return share >= 1 ? Number.POSITIVE_INFINITY : -Math.log(1 - share) / slope;
}

/**
 * When the soil is as dry as `below` percent, by how it dried since the last watering, or before it while that is not known;
 * null where neither is.
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
  const current = dryings.at(-1) ?? [];
  if (current.length === 0) return null;
  const lossesBy = dryings.map((each) => lossesOf(each, percentOf));
  const losses = lossesBy.flat();
  if (losses.length < FEWEST) return null;
  const own = lossesBy.at(-1) ?? [];
  const lately = own.length >= 4 ? own.slice(-LATELY) : losses.slice(-LATELY);
  const first = current[0]?.time ?? last.time;
  const isDay = last.time - first >= DAY_MS * 0.9;
  const day = current.slice(indexAt(current, last.time - (isDay ? DAY_MS : BLOCK_MS)) + 1);
  const flat = median(lately.map(({ loss }) => loss));
  const now = median(day.map(({ time, mean }) => percentOf(mean) - (flat * (last.time - time)) / DAY_MS));
  const rest = Math.max(now - below, 0);
  const bends = lossesBy.flatMap(bendsOf);
  const proportional = Math.max(0, flat) / Math.max(10, now - 5);
  const isKnown = bends.length >= 20;
  const known = isKnown ? bends : [Number.POSITIVE_INFINITY];
  const bend = Math.min(BEND.expected * proportional, Math.max(0, median(known)));
  const most = Math.min(BEND.most * proportional, Math.max(bend, quantile(known, 0.95)));
  const rates = lately.map(({ level, loss }) => loss + bend * (now - level));
  const rate = median(rates);
  // Before it is seen to bend, a drying is expected to go on as it does; its range allows for the bend.
  const days = isKnown ? daysFor(rest, rate, bend) : daysFor(rest, flat, 0);
  const wrong = isDay ? LEVEL.known + LEVEL.reading / Math.sqrt(day.length) : LEVEL.swing;
  const spread = deviation(rates.map((each) => each - rate)) / Math.max(rate, 0.1);
  const low = daysFor(
    Math.max(0, rest - wrong),
    rate * Math.min(FASTER.most, FASTER.least + spread),
    bend * BEND.least,
  );
  const high = daysFor(rest + wrong, rate / Math.min(SLOWER.most, SLOWER.least + spread), most);
  if (!(low < DAYS_MAX)) return null;
  const likely = Math.max(low, Math.min(days, high, DAYS_MAX));
  if (high <= Math.max(SOON_DAYS, WIDEST * low)) return { days: likely, low, high };
  return low < LEAST_DAYS ? null : { days: likely, low, high: null };
}
