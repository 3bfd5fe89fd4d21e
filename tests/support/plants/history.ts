import type { Interval, Reading } from '#contract/moisture/series';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time';
import { gaussianOf, randomOf } from './random.ts';

/*
 * Simulated histories of plants, with the true waterings and troubles: soil dries with the weather, people
 * water in different ways, sensors vary with the time of day and fail. The same seed gives the same history.
 */

const STEP = 5 * MINUTE_MS;
const START = Date.UTC(2026, 4, 1);
const LATER_DAYS = 42;

type Way = 'pour' | 'overshoot' | 'saucer' | 'drip' | 'twice';
export type TrueWatering = {
  way: Way;
  /** The last instant before the water, and the instant after the last water. */
  from: number;
  until: number;
  /** By how many percentage points the soil is wetter afterwards. */
  rise: number;
};

/** How the drying speed changes: slowly; in dry or damp spells of days; or in hot spells, at 2 to 3 times. */
type Weather = 'drifting' | 'spells' | 'heat';

export type Options = {
  seed: number;
  /** How often the board sends. */
  every: number;
  days?: number;
  /** By default, sensors have no fault. */
  trouble?: 'put-back' | 'loose' | 'stuck-rail' | 'stuck' | 'spikes' | 'outages';
  isWatered?: boolean;
  /** By default, each day dries about as fast as the day before. */
  weather?: Weather;
  /** The longest time until people water a dry plant. */
  delay?: number;
};

export type History = {
  readings: Reading[];
  waterings: TrueWatering[];
  /** The true moisture in percent, every five minutes from `start`. */
  soil: Float64Array;
  start: number;
  end: number;
  every: number;
  troubles: { from: number; to: number }[];
  /** Percent below which people decide to water. */
  thirst: number;
  /** Days from an instant until the soil would be drier than a limit if nobody watered it; infinite beyond six weeks. */
  daysUntil: (now: number, below: number) => number;
  /** Raw values of soil at 0 and 100 percent. */
  scale: { dry: number; wet: number };
};

/** Water for the soil in each step, and water that only runs past the sensor. */
type Plan = { waterings: TrueWatering[]; add: Float64Array; past: Float64Array };

function waterBy(way: Way, at: number, amount: number, random: () => number, plan: Plan): void {
  const put = (index: number, points: number) => {
    if (index < plan.add.length) plan.add[index] = (plan.add[index] ?? 0) + points;
  };
  const told = (last: number, rise: number) =>
    plan.waterings.push({ way, from: START + at * STEP, until: START + (last + 1) * STEP, rise });
  if (way === 'saucer') {
    const steps = Math.round((1 + 4 * random()) * 12);
    for (let step = 0; step < steps; step++) put(at + step, amount / steps);
    told(at + steps, amount);
  } else if (way === 'drip') {
    const doses = 3 + Math.floor(3 * random());
    const apart = 4 + Math.floor(5 * random());
    for (let dose = 0; dose < doses; dose++) put(at + dose * apart, amount / doses);
    told(at + (doses - 1) * apart, amount);
  } else if (way === 'twice') {
    const later = Math.round((6 + 5 * random()) * 12);
    put(at, amount * 0.5);
    told(at, amount * 0.5);
    put(at + later, amount * 0.5);
    plan.waterings.push({
      way,
      from: START + (at + later) * STEP,
      until: START + (at + later + 1) * STEP,
      rise: amount * 0.5,
    });
  } else {
    put(at, amount);
    if (way === 'overshoot' && at < plan.past.length) plan.past[at] = 10 + 35 * random();
    told(at, amount);
  }
}

/** The drying speed of each day, which is similar to the day before; spells last for two to nine days. */
function weatherOf(
  days: number,
  gaussian: () => number,
  kind: Weather | undefined,
  random: () => number,
): number[] {
  const [same, change] = kind === 'drifting' ? [0.92, 0.8] : [0.7, 0.7];
  const [one, other] = kind === 'spells' ? [0.5, 1.7] : [1, kind === 'heat' ? 2 + random() : 1];
  let [state, spell, left] = [gaussian(), one, 2 + 7 * random()];
  return Array.from({ length: days + 1 }, () => {
    state = same * state + change * gaussian();
    if (--left < 0) [spell, left] = [spell === one ? other : one, 1 + 7 * random()];
    return spell * Math.exp(0.25 * state);
  });
}

/** Simulates soil and sensor for some weeks, and the readings that a board sends. */
export function historyOf({
  seed,
  every,
  days = 24,
  trouble,
  isWatered = true,
  weather: kind,
  delay: longest = 20 * HOUR_MS,
}: Options): History {
  const random = randomOf(seed);
  const gaussian = gaussianOf(random);
  const steps = Math.round((days * DAY_MS) / STEP);
  const weather = weatherOf(days + LATER_DAYS, gaussian, kind, randomOf(seed + 7919));
  const losing = 1.5 + 6 * random();
  const residual = 4 + 8 * random();
  const thirst = 15 + 25 * random();
  const swing = 4 * random();
  const white = 0.3 + 0.7 * random();
  const red = 0.8 * random();
  const soil = new Float64Array(steps);
  const seen = new Float64Array(steps);
  const plan: Plan = { waterings: [], add: new Float64Array(steps), past: new Float64Array(steps) };
  const ways: Way[] = ['pour', 'pour', 'overshoot', 'saucer', 'drip', 'twice'];
  const weatherAt = (day: number) => {
    const [now = 1, then = 1] = [weather[Math.floor(day)], weather[Math.floor(day) + 1]];
    return now + (then - now) * (day % 1);
  };
  const lossAt = (at: number, level: number) => {
    const day = (at * STEP) / DAY_MS;
    // By day the soil dries three times as fast as at night.
    const sun = 1 + 0.5 * Math.cos(2 * Math.PI * (day - 0.2));
    return (losing * weatherAt(day) * sun * Math.max(0, level - residual)) / 45 / (DAY_MS / STEP);
  };
  const daysUntil = (now: number, below: number) => {
    const first = Math.floor((now - START) / STEP);
    let left = soil[first] ?? 0;
    let at = first;
    for (; left >= below && at < steps + (LATER_DAYS * DAY_MS) / STEP; at++) left -= lossAt(at, left);
    return left < below ? ((at - first) * STEP) / DAY_MS : Number.POSITIVE_INFINITY;
  };
  let level = 35 + 35 * random();
  let over = 0;
  let drift = 0;
  let next = 0;
  for (let at = 0; at < steps; at++) {
    const day = (at * STEP) / DAY_MS;
    level -= lossAt(at, level);
    if (isWatered && at >= next && level < thirst + 8 * gaussian() * 0.2) {
      const way = ways[Math.floor(random() * ways.length)] ?? 'pour';
      const room = 85 - level;
      const amount = Math.min(room, way === 'twice' ? 20 + 30 * random() : 10 + 45 * random());
      // People water when they are awake, and not at once.
      const delay = Math.round((random() * longest) / STEP);
      if (at + delay < steps) waterBy(way, at + delay, amount, random, plan);
      next = at + delay + 15 * 12;
    }
    level = Math.min(95, level + (plan.add[at] ?? 0));
    over = over * Math.exp(-1 / 5) + (plan.past[at] ?? 0);
    drift = drift * Math.exp(-1 / 24) + red * Math.sqrt(1 - Math.exp(-2 / 24)) * gaussian();
    soil[at] = level;
    seen[at] =
      level + over + swing * Math.min(1.4, weatherAt(day)) * Math.cos(2 * Math.PI * (day - 0.6)) + drift;
  }
  const narrow = random() < 0.3;
  const scale = narrow ? { dry: 560, wet: 380 } : { dry: 1023, wet: 0 };
  const rawOf = (percent: number) =>
    Math.max(0, Math.min(1023, Math.round(scale.dry - ((scale.dry - scale.wet) * percent) / 100)));
  const readings: Reading[] = [];
  const first = START + Math.floor(random() * Math.min(every, HOUR_MS));
  const end = START + steps * STEP;
  for (let time = first; time < end - MINUTE_MS; time += every) {
    const sent = time + Math.floor(random() * Math.min(5000, every / 10));
    if (random() < 0.02) continue;
    const at = Math.floor((sent - START) / STEP);
    const part = (sent - START) / STEP - at;
    const value = (seen[at] ?? 0) * (1 - part) + (seen[at + 1] ?? seen[at] ?? 0) * part;
    readings.push({ time: sent, raw: rawOf(value + white * gaussian()) });
  }
  const history: History = {
    readings,
    waterings: plan.waterings,
    soil,
    start: START,
    end,
    every,
    troubles: [],
    thirst,
    daysUntil,
    scale,
  };
  if (trouble) spoil(history, trouble, random, gaussian);
  return history;
}

/** Changes the readings in three periods to those of a sensor with this fault. */
function spoil(
  history: History,
  trouble: NonNullable<Options['trouble']>,
  random: () => number,
  gaussian: () => number,
): void {
  const { start, end, every, scale } = history;
  for (let part = 0; part < 3; part++) {
    const lasts: Record<typeof trouble, number> = {
      'put-back': Math.max(0.5 * HOUR_MS, 3 * every) + random() * 20 * HOUR_MS,
      loose: (6 + 40 * random()) * HOUR_MS,
      'stuck-rail': (6 + 60 * random()) * HOUR_MS,
      stuck: (30 + 60 * random()) * HOUR_MS,
      spikes: 4 * DAY_MS,
      outages: (2 + 28 * random()) * HOUR_MS,
    };
    const from = start + (0.1 + part * 0.3 + 0.1 * random()) * (end - start);
    const to = from + lasts[trouble];
    history.troubles.push({ from, to });
    const air = Math.min(1015, scale.dry + 40 + 20 * random());
    const touch = 0.02 * (scale.dry - scale.wet) * gaussian();
    const share = 0.1 + 0.4 * random();
    const held = history.readings.find(({ time }) => time >= from)?.raw ?? 500;
    const rail = random() < 0.5 ? 0 : 1023;
    history.readings = history.readings.flatMap((reading) => {
      const isIn = reading.time >= from && reading.time < to;
      const clamp = (raw: number) => Math.max(0, Math.min(1023, Math.round(raw)));
      if (trouble === 'put-back')
        return [
          {
            ...reading,
            raw: isIn ? clamp(air + 2 * gaussian()) : clamp(reading.raw + (reading.time >= to ? touch : 0)),
          },
        ];
      if (!isIn) return [reading];
      if (trouble === 'outages') return [];
      if (trouble === 'stuck') return [{ ...reading, raw: held }];
      if (trouble === 'stuck-rail') return [{ ...reading, raw: rail }];
      if (trouble === 'loose')
        return [
          random() < share
            ? { ...reading, raw: random() < 0.7 ? 1023 : Math.floor(random() * 1023) }
            : reading,
        ];
      return [random() < 0.02 ? { ...reading, raw: Math.floor(random() * 1023) } : reading];
    });
  }
}

/** Sums readings up like plant_rollups. */
export function intervalsOf(readings: readonly Reading[], width = STEP): Interval[] {
  const intervals: Interval[] = [];
  for (const reading of readings) {
    const start = reading.time - (reading.time % width);
    const last = intervals.at(-1);
    if (last?.start === start) {
      last.count += 1;
      last.sum += reading.raw;
      if (reading.raw < last.lowest.raw) last.lowest = reading;
      if (reading.raw >= last.highest.raw) last.highest = reading;
    } else intervals.push({ start, width, count: 1, sum: reading.raw, lowest: reading, highest: reading });
  }
  return intervals;
}

/** The intervals for an assessment: 5 minutes in the last day, 30 minutes in a week, 3 hours in 60 days. */
export function intervalsAt(readings: readonly Reading[]): (now: number) => Interval[] {
  const widths = [3 * HOUR_MS, 30 * MINUTE_MS, STEP].map((width) => intervalsOf(readings, width));
  const whole = (time: number, width: number) => time - (time % width);
  return (now) => {
    const cuts = [
      now - 60 * DAY_MS,
      whole(now - 7 * DAY_MS, 3 * HOUR_MS),
      whole(now - DAY_MS, 30 * MINUTE_MS),
      now,
    ];
    return widths.flatMap((intervals, at) => {
      const [from = 0, to = now] = cuts.slice(at, at + 2);
      return intervals.filter(
        ({ start, width }) => start >= from && (at === 2 ? start + width <= to : start < to),
      );
    });
  };
}
