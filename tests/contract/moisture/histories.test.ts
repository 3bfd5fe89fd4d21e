import { findFaults } from '#contract/moisture/faults';
import { pointsOf } from '#contract/moisture/series';
import { WATERING_LOOKBACK_MS, findWaterings } from '#contract/moisture/waterings';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time';
import { describe, expect, test } from 'vitest';
import { fewOrMany, isFull } from '../../support/counts.ts';
import { historyOf, intervalsOf, type Options } from '../../support/plants/history.ts';
import { randomOf } from '../../support/plants/random.ts';
import { tryDry, tryForecasts, tryWaterings } from '../../support/plants/trials.ts';

const FIRST_SEED = 301;
const seeds = (many: number, options: Omit<Options, 'seed'>): Options[] =>
  Array.from({ length: many }, (_, at) => ({ ...options, seed: FIRST_SEED + at }));

/** A full run prints what docs/plants.md quotes. */
const tell = (line: string) => {
  if (isFull) console.log(line);
};
const share = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

describe('drawn histories', { timeout: 900_000 }, () => {
  test.each([
    [5, 0.98],
    [15, 0.98],
    [60, 0.98],
    [180, 0.8],
    [360, 0.8],
  ])(
    'PLT-20 of boards that send every %i min waterings are found, and hardly anything else',
    (minutes, least) => {
      const { asked, missed, wrong, days } = tryWaterings(
        seeds(fewOrMany(minutes === 5 ? 3 : 12, minutes === 5 ? 60 : 200), { every: minutes * MINUTE_MS }),
      );
      tell(
        `waterings ${minutes} min: ${asked - missed.length} of ${asked} ${share(asked - missed.length, asked)} false ${wrong.length} in ${days / 365} years`,
      );
      // A few histories may hold one that is hard.
      expect(missed.length, missed.join('; ')).toBeLessThanOrEqual(
        Math.ceil((1 - least + (isFull ? 0 : 0.1)) * asked),
      );
      expect(wrong.length, wrong.join('; ')).toBeLessThanOrEqual(isFull ? days / 365 : 0);
    },
  );

  test.each(['put-back', 'loose', 'stuck-rail', 'stuck', 'spikes', 'outages'] as const)(
    'PLT-20 PLT-23 what a sensor does that is %s is no watering',
    (trouble) => {
      for (const every of [15 * MINUTE_MS, HOUR_MS]) {
        const { asked, missed, wrong, days } = tryWaterings(seeds(fewOrMany(4, 60), { every, trouble }));
        tell(
          `${trouble} ${every / MINUTE_MS} min: found ${asked - missed.length} of ${asked} false ${wrong.length} in ${days / 365} years`,
        );
        expect(wrong.length, wrong.join('; ')).toBeLessThanOrEqual(isFull ? days / 365 : 0);
      }
    },
  );

  test.each([
    [15, undefined],
    [60, undefined],
    [180, undefined],
    [360, undefined],
    [60, 'drifting'],
    [60, 'spells'],
    [60, 'heat'],
  ] as const)('PLT-21 of boards that send every %i min forecasts hold, weather: %s', (minutes, weather) => {
    const sum = tryForecasts(
      seeds(fewOrMany(weather ? 1 : 4, weather ? 60 : 30), {
        every: minutes * MINUTE_MS,
        ...(weather && { weather }),
      }),
    );
    const ranges = sum.given - sum.atLeast;
    tell(
      `forecasts ${minutes} min ${weather ?? ''}: given ${share(sum.given, sum.asked)} with both ends ${share(ranges, sum.asked)} in range ${share(sum.right, ranges)} of ${ranges} at least ${share(sum.atLeastRight, sum.atLeast)} of ${sum.atLeast}`,
    );
    expect(sum.given).toBeGreaterThan(0.8 * sum.asked);
    // A few ranges are one weather, and the first heat is foreseen by nobody.
    const few = weather ? 0 : ranges * 0.6;
    const least = isFull ? ranges * (weather ? 0.9 : 0.95) - 0.01 * sum.asked : few;
    expect(ranges).toBeGreaterThanOrEqual(weather || minutes >= 360 ? 0 : 1);
    expect(sum.right).toBeGreaterThanOrEqual(least);
    expect(sum.atLeastRight / Math.max(1, sum.atLeast)).toBeGreaterThan(0.97);
    expect(Math.max(1, ...sum.widths.filter(Number.isFinite))).toBeLessThanOrEqual(4);
  });

  test.each([60, 180])(
    'PLT-22 of boards that send every %i min each day of dry soil is told once',
    (minutes) => {
      const sum = tryDry(seeds(fewOrMany(1, 20), { every: minutes * MINUTE_MS }));
      tell(`dry ${minutes} min: ${sum.once} of ${sum.spells} extra ${sum.extra} in ${sum.days / 365} years`);
      expect(sum.once, sum.wrong.join('; ')).toBe(sum.spells);
      expect(sum.extra, sum.wrong.join('; ')).toBeLessThanOrEqual(isFull ? sum.days / 365 : 0);
    },
  );
});

test('PLT-8 PLT-20 soil that only dries was never watered, whatever weather and sensor', () => {
  const many = seeds(fewOrMany(8, 100), { every: 30 * MINUTE_MS, isWatered: false });
  expect(tryWaterings(many).wrong.length).toBeLessThanOrEqual(fewOrMany(0, 6));
});

test('PLT-20 what is looked through in stretches has the waterings of the whole', () => {
  for (let seed = 1; seed <= fewOrMany(6, 60); seed++) {
    const random = randomOf(seed);
    const trouble = ([undefined, 'put-back', 'loose', 'outages'] as const)[seed % 4];
    const history = historyOf({
      seed: FIRST_SEED + 600 + seed,
      every: [15, 60, 180][seed % 3] === 15 ? 15 * MINUTE_MS : HOUR_MS,
      days: 60,
      ...(trouble && { trouble }),
    });
    const intervals = intervalsOf(history.readings, 30 * MINUTE_MS);
    const whole = findWaterings(intervals).filter(({ settled }) => settled);
    const found: typeof whole = [];
    const settled = 4 * DAY_MS;
    for (let from = history.start; from < history.end;) {
      const until = Math.min(history.end, from + (5 + 15 * random()) * DAY_MS);
      const look = intervals.filter(
        ({ start }) => start >= from - WATERING_LOOKBACK_MS && start < until + settled,
      );
      found.push(
        ...findWaterings(look).filter(
          (each) => each.settled && each.before.time >= from && each.before.time < until,
        ),
      );
      from = until;
    }
    expect(found, `seed ${seed}`).toEqual(whole);
  }
});

test('PLT-20 the level of an interval is its mean without one spike, whatever its width', () => {
  const readings = [500, 502, 498, 1023, 501].map((raw, at) => ({ raw, time: at * 60_000 }));
  const points = pointsOf(intervalsOf(readings));
  expect(points[0]?.level).toBeCloseTo(501, 0);
  expect(findFaults([])).toEqual([]);
  expect(findWaterings([])).toEqual([]);
});
