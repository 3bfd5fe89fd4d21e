import { DAY_MS, MINUTE_MS } from './time.ts';

/** A reading in percent; `time` in milliseconds since 1970. Lists are ordered oldest first. */
export type Sample = { time: number; percent: number };

/** `time` and `before` belong to the last reading before the water arrived; `after` is the highest reading since. */
type Watering = { time: number; before: number; after: number };

const WATERING_RISE = 10;
export const WATERING_WITHIN_MS = 30 * MINUTE_MS;

/** A place where the soil became at least ten points wetter within thirty minutes: a watering, if it lasted. */
export type Rise<Each extends Sample = Sample> = {
  /** The first sample that was so much wetter than one of the half hour before it. */
  seen: Each;
  /** The last sample before the water arrived, at most an hour before `seen`. */
  before: Each;
  /** The wettest since. What comes later than half an hour after it cannot change the rise. */
  top: Each;
  isWatering: boolean;
};

/**
 * Finds places where the soil became at least ten points wetter within thirty minutes. Soil neither dries nor drains
 * that quickly, so a rise that has mostly disappeared half an hour later is ignored, and a rise out of a short dip (a
 * sensor pulled out of the pot) is measured from where the dip began.
 */
export function findWaterings(samples: readonly Sample[]): Watering[] {
  return [...findRises(samples)]
    .filter(({ isWatering }) => isWatering)
    .map(({ before, top }) => ({ time: before.time, before: before.percent, after: top.percent }));
}

/**
 * All rises in the order of time, those included that were no waterings.
 * @param after nothing is measured from what is older: the top of the rise before, or an instant half an hour after which
 *   no rise goes on
 */
export function* findRises<Each extends Sample>(
  samples: readonly Each[],
  after = Number.NEGATIVE_INFINITY,
): Generator<Rise<Each>, void> {
  let from = Math.max(
    0,
    samples.findLastIndex(({ time }) => time <= after),
  );
  for (let at = from + 1; at < samples.length; at++) {
    const now = samples[at];
    if (!now) break;
    while ((samples[from]?.time ?? now.time) < now.time - WATERING_WITHIN_MS) from += 1;
    const low = lowestOf(samples, from, at);
    const lowest = samples[low];
    if (!lowest || now.percent - lowest.percent < WATERING_RISE) continue;
    const peak = peakFrom(samples, at);
    const top = samples[peak] ?? now;
    const half = (lowest.percent + top.percent) / 2;
    const before = highestBefore(samples, low, half) ?? lowest;
    const isWatering = top.percent - before.percent >= WATERING_RISE && !fallsBelow(samples, peak, half);
    yield { seen: now, before, top, isWatering };
    // The next rise is measured from the top of this one.
    from = peak;
    at = peak;
  }
}

/** Index of the lowest sample in [from, to), the latest if there are several. */
function lowestOf(samples: readonly Sample[], from: number, to: number): number {
  let lowest = from;
  for (let index = from; index < to; index++) {
    if ((samples[index]?.percent ?? 0) <= (samples[lowest]?.percent ?? 0)) lowest = index;
  }
  return lowest;
}

/** Index of the top of a rise; each higher sample must follow within the duration of a watering. */
function peakFrom(samples: readonly Sample[], start: number): number {
  let peak = start;
  for (let index = start + 1; index < samples.length; index++) {
    const sample = samples[index];
    const top = samples[peak];
    if (!sample || !top || sample.time - top.time > WATERING_WITHIN_MS) break;
    if (sample.percent > top.percent) peak = index;
  }
  return peak;
}

/** The highest sample above `level` in the half hour before a low, if any. */
function highestBefore<Each extends Sample>(
  samples: readonly Each[],
  low: number,
  level: number,
): Each | undefined {
  const earliest = (samples[low]?.time ?? 0) - WATERING_WITHIN_MS;
  let highest: Each | undefined;
  for (let index = low - 1; index >= 0; index--) {
    const sample = samples[index];
    if (!sample || sample.time < earliest) break;
    if (sample.percent > (highest?.percent ?? level)) highest = sample;
  }
  return highest;
}

function fallsBelow(samples: readonly Sample[], peak: number, level: number): boolean {
  const latest = (samples[peak]?.time ?? 0) + WATERING_WITHIN_MS;
  for (let index = peak + 1; index < samples.length; index++) {
    const sample = samples[index];
    if (!sample || sample.time > latest) return false;
    if (sample.percent < level) return true;
  }
  return false;
}

/** Over shorter spans, sunlight on the pot affects readings more than the plant's consumption. */
const FORECAST_SPAN_MS = DAY_MS / 4;
/** More samples would not improve the slope, only its cost: every pair is compared. */
const FORECAST_SAMPLES = 60;
const FORECAST_DAYS_MAX = 365;

/**
 * Days until the soil reaches `dryPercent` at the rate since the last watering, which is the median of all slopes so
 * that outliers do not matter. 0 when the soil is already that dry; null when it is not drying, would take more than a
 * year, or has been observed for less than six hours.
 * @param wateredAt when the plant was last watered; otherwise found in the samples, which must then be complete
 */
export function daysUntilDry(
  samples: readonly Sample[],
  dryPercent: number,
  wateredAt?: number,
): number | null {
  const latest = samples.at(-1);
  if (!latest) return null;
  if (latest.percent <= dryPercent) return 0;
  const since = thinned(
    wateredAt === undefined
      ? sinceLastWatering(samples)
      : samples.filter(({ time }) => time > wateredAt + WATERING_WITHIN_MS),
  );
  const span = latest.time - (since[0]?.time ?? latest.time);
  if (span < FORECAST_SPAN_MS) return null;
  const perDay = medianSlope(since);
  if (perDay >= 0) return null;
  const level = median(since.map(({ time, percent }) => percent + (perDay * (latest.time - time)) / DAY_MS));
  const days = Math.max(0, (level - dryPercent) / -perDay);
  return days > FORECAST_DAYS_MAX ? null : days;
}

function sinceLastWatering(samples: readonly Sample[]): readonly Sample[] {
  const last = findWaterings(samples).at(-1);
  if (!last) return samples;
  const top = samples.findIndex(({ time, percent }) => time > last.time && percent === last.after);
  return samples.slice(Math.max(0, top));
}

/** Evenly spaced samples, including the newest. */
function thinned(samples: readonly Sample[]): readonly Sample[] {
  const step = Math.ceil(samples.length / FORECAST_SAMPLES);
  return samples.filter((_, index) => (samples.length - 1 - index) % step === 0);
}

/** Theil–Sen slope in points per day. */
function medianSlope(samples: readonly Sample[]): number {
  const slopes = samples.flatMap((later, index) =>
    samples
      .slice(0, index)
      .filter(({ time }) => time < later.time)
      .map((earlier) => ((later.percent - earlier.percent) / (later.time - earlier.time)) * DAY_MS),
  );
  return median(slopes);
}

/** NaN for an empty list. */
function median(values: number[]): number {
  const sorted = values.sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? upper)) / 2 : upper;
}
