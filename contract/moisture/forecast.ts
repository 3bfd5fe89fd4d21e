import { DAY_MS, HOUR_MS } from '../time.ts';
import type { Calibration } from './percent.ts';
import { indexAt, median, quantile, type Point } from './series.ts';
import type { Watering } from './waterings.ts';

/** Days until the soil is as dry as the limit, and the range in which that lies; `high` is null for "at least `low`". */
export type Forecast = { days: number; low: number; high: number | null };

const BLOCK_MS = DAY_MS / 4;
/** Fast drainage is no drying. */
const DRAINING_MS = 6 * HOUR_MS;
/** So many losses of a day, four a day, say how quickly it dries: ten days of drying, as the weather of the last few will not last. */
const LATELY = 40;
const FEWEST = 2;
/** Weather to come makes drying so much faster, or slower. */
const WEATHER = { faster: 1.25, slower: 1.5 };
/** How far a rate falls with the water that is left, where 1 is in proportion to it: what is expected, and the most; in a fast drying a share of the expected. */
const BEND = { expected: 0.75, most: 0.9, least: 0.7 };
/** What is seen of the bend where the soil was once near the limit: so many pairs of losses, so many points near; and a share of it, beside what it may be wrong by. */
const SEEN = { fewest: 20, many: 100, near: 6, share: 0.6, wrong: 0.5 };
/** Points that a level may be wrong by: within a day it is known by the middle of that day, before that it swings. */
const LEVEL = { known: 0.5, reading: 3, swing: 4 };
/** Points above all that was seen to dry. */
const UNSEEN = 15;
/** A range whose end is so many times its beginning says no more than its beginning. */
const WIDEST = 4;
const DAYS_MAX = 365;
/** A range that ends within these days is shown even when it is wide: somebody has to water soon. */
const SOON_DAYS = 2;
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
  const some = losses.slice(-LATELY);
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
  const current = dryings.at(-1) ?? [];
  if (current.length === 0) return null;
  const lossesBy = dryings.map((each) => lossesOf(each, percentOf));
  const losses = lossesBy.flat();
  if (losses.length < FEWEST) return null;
  const lately = losses.slice(-LATELY);
  const first = current[0]?.time ?? last.time;
  const isDay = last.time - first >= DAY_MS * 0.9;
  const day = current.slice(indexAt(current, last.time - (isDay ? DAY_MS : BLOCK_MS)) + 1);
  const flat = median(lately.map(({ loss }) => loss));
  const now = median(day.map(({ time, mean }) => percentOf(mean) - (flat * (last.time - time)) / DAY_MS));
  // How wet soil dries is not known of soil that was always much drier.
  if (losses.every(({ level }) => now - level > UNSEEN)) return null;
  const rest = Math.max(now - below, 0);
  const bends = lossesBy.flatMap(bendsOf);
  const proportional = Math.max(0, flat) / Math.max(10, now - 5);
  const isKnown = bends.length >= SEEN.fewest;
  const known = isKnown ? bends : [Number.POSITIVE_INFINITY];
  const bend = Math.min(BEND.expected * proportional, Math.max(0, median(known)));
  const isNear = bends.length >= SEEN.many && losses.some(({ level }) => level < below + SEEN.near);
  const seen = isNear ? SEEN.share * bend + SEEN.wrong * proportional : Math.max(bend, quantile(known, 0.95));
  const most = Math.min(BEND.most * proportional, seen);
  const rate = median(lately.map(({ level, loss }) => loss + bend * (now - level)));
  // Before it is seen to bend, a drying is expected to go on as it does; its range allows for the bend.
  const days = isKnown ? daysFor(rest, rate, bend) : daysFor(rest, flat, 0);
  const wrong = isDay ? LEVEL.known + LEVEL.reading / Math.sqrt(day.length) : LEVEL.swing;
  const low = daysFor(Math.max(0, rest - wrong), rate * WEATHER.faster, bend * BEND.least);
  const high = daysFor(rest + wrong, rate / WEATHER.slower, most);
  if (!(low < DAYS_MAX)) return null;
  const likely = Math.max(low, Math.min(days, high, DAYS_MAX));
  if (high <= Math.max(SOON_DAYS, WIDEST * low)) return { days: likely, low, high };
  return low < LEAST_DAYS ? null : { days: likely, low, high: null };
}
