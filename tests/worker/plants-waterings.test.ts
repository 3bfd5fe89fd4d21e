import { calibratedPercent, findRises, findWaterings, moisturePercent } from '#contract/moisture';
import type { Watering } from '#contract/plants';
import { database } from '#db/client';
import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keepRises } from '../../worker/src/plants/keep-rises-data.ts';
import { writeRollups } from '../../worker/src/plants/rollups-data.ts';
import { findEach, windowsAround } from '../../worker/src/plants/rises.ts';
import { propertyRuns } from '../support/counts.ts';
import {
  DAY,
  defaults,
  freshPlant,
  getPlants,
  MINUTE,
  putSettings,
  START,
  store,
  storeAt,
  withPlant,
} from './plant.ts';

withPlant();

describe('GET /api/plants/waterings', () => {
  /** Soil that dries slowly for some hours, so that there is a before and an after. */
  const dry = Array.from({ length: 30 }, (_, n) => 700 + Math.floor(n / 3));
  const wet = Array.from({ length: 30 }, (_, n) => 500 + Math.floor(n / 3));
  const lastDry = new Date(START + 29 * 10 * MINUTE).toISOString();

  test('PLT-8 ten points up within half an hour is a watering', async () => {
    await store([...dry, 650, 600, ...wet]);
    expect(await getPlants<Watering[]>('/waterings')).toEqual([
      { plant: 'basil', datetime: lastDry, before: 709, after: 500 },
    ]);
  });

  test('PLT-8 less than ten points, or more slowly, is none', async () => {
    // 102 raw is 9.97 points of percent, 103 is 10.07.
    const after = (drop: number) => Array.from({ length: 30 }, () => 709 - drop);
    await store([...dry, ...after(102)]);
    expect(await getPlants('/waterings')).toEqual([]);
    await store([...dry, ...after(103)], { from: START + DAY });
    expect(await getPlants('/waterings')).toHaveLength(1);
    const slowly = Array.from({ length: 12 }, (_, n) => 700 - n * 25);
    await store([...dry, ...slowly, ...after(300)], { from: START + 2 * DAY });
    expect(await getPlants('/waterings')).toHaveLength(1);
  });

  test('PLT-8 points are those of the plant: a calibration counts for what was stored before', async () => {
    await store([...dry, ...Array.from({ length: 30 }, () => 709 - 60)]);
    expect(await getPlants('/waterings')).toEqual([]);
    // Sixty of five hundred are twelve points.
    await putSettings({ ...defaults, dry: 800, wet: 300 });
    expect(await getPlants('/waterings')).toMatchObject([{ before: 709, after: 649 }]);
  });

  test('PLT-8 a range has those that began in it, a plant its own', async () => {
    await store([...dry, ...wet]);
    await store([...dry, ...wet], { from: START + 3 * DAY });
    const at = (ms: number) => new Date(START + ms).toISOString();
    const between = (from: number, to: number) =>
      getPlants<Watering[]>(`/waterings?from=${at(from)}&to=${at(to)}`);
    expect(await getPlants('/waterings')).toHaveLength(2);
    expect(await getPlants('/waterings?plant=basil')).toHaveLength(2);
    expect(await getPlants('/waterings?plant=cactus')).toEqual([]);
    expect(await between(DAY, 5 * DAY)).toHaveLength(1);
    expect(await between(0, 29 * 10 * MINUTE)).toEqual([]);
    expect(await between(29 * 10 * MINUTE, 29 * 10 * MINUTE + 1)).toHaveLength(1);
  });

  test('PLT-8 readings every few seconds show the same', async () => {
    const often = [...dry, ...wet].flatMap((value) => Array.from({ length: 60 }, () => value));
    await store(often, { pause: 1 / 6 });
    expect(await getPlants('/waterings')).toMatchObject([{ before: 709, after: 500 }]);
  });

  test('PLT-8 they are those of the rule over all readings, whatever was watered, pulled out or left out', async () => {
    /** What happens between two readings: mostly little. */
    const step = fc.oneof(
      { weight: 12, arbitrary: fc.record({ pause: fc.constant(10), by: fc.integer({ min: -4, max: 6 }) }) },
      {
        weight: 1,
        arbitrary: fc.record({ pause: fc.constant(10), by: fc.integer({ min: -500, max: 500 }) }),
      },
      { weight: 1, arbitrary: fc.record({ pause: fc.integer({ min: 5, max: 2000 }), by: fc.constant(0) }) },
    );
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 100, maxLength: 300 }), async (steps) => {
        await freshPlant();
        let at = START;
        let raw = 600;
        const readings = steps.map(({ pause, by }) => {
          at += pause * MINUTE;
          raw = Math.min(1023, Math.max(0, raw + by));
          return [at, raw] as const;
        });
        await storeAt(readings);
        const samples = readings.map(([time, value]) => ({ time, percent: moisturePercent(value) }));
        const expected = findWaterings(samples).map(({ time }) => new Date(time).toISOString());
        seen += expected.length;
        const found = await getPlants<Watering[]>('/waterings');
        expect(found.map(({ datetime }) => datetime)).toEqual(expected);
      }),
      propertyRuns(10, 300),
    );
    expect(seen).toBeGreaterThan(10);
  });
});

describe('waterings that are kept', () => {
  /** Up and down: two rises that were no waterings, the second from higher than before the first; then a watering. */
  const percents = [
    ...Array.from({ length: 15 }, () => 30),
    60,
    58,
    40,
    45,
    52,
    ...Array.from({ length: 12 }, () => 51),
    ...Array.from({ length: 60 }, () => 65),
  ];

  test.each(Array.from({ length: 12 }, (_, n) => n))(
    'PLT-8 are as if found at once, when one goes on while the step is done: %i',
    async (shift) => {
      const from = START + shift * 5 * MINUTE;
      const readings = percents.map((percent, n): [number, number] => [
        from + n * 5 * MINUTE,
        Math.round(1023 - percent * 10.23),
      ]);
      await storeAt(readings);
      const db = database(env.PLANTS_DB);
      const expected = findWaterings(
        readings.map(([time, raw]) => ({ time, percent: moisturePercent(raw) })),
      ).map(({ time }) => new Date(time).toISOString());
      expect(expected).toHaveLength(1);
      await env.PLANTS_DB.prepare('DELETE FROM plant_rollup_watermark').run();
      const kept: (number | null)[] = [];
      // The step ends an hour and ten minutes before: soon after the rises, a while later, and long after them.
      for (const minutes of [90, 120, 150, 180, 210, 1000]) {
        await writeRollups(db, START + (minutes + 70) * MINUTE);
        await keepRises(db);
        kept.push(await env.PLANTS_DB.prepare('SELECT count(*) AS n FROM plant_rises').first<number>('n'));
        const found = await getPlants<Watering[]>('/waterings');
        expect(found.map(({ datetime }) => datetime)).toEqual(expected);
      }
      expect(kept.at(-1)).toBe(3);
      expect(await env.PLANTS_DB.prepare('SELECT count(*) AS n FROM plant_rise_backlog').first('n')).toBe(0);
      const answer = await putSettings({ ...defaults, dry: 1000, wet: 10 });
      expect(answer.status).toBe(200);
      await keepRises(db);
      const anew = readings.map(([time, raw]) => ({
        time,
        percent: calibratedPercent(raw, { dry: 1000, wet: 10 }),
      }));
      expect((await getPlants<Watering[]>('/waterings')).map(({ datetime }) => Date.parse(datetime))).toEqual(
        findWaterings(anew).map(({ time }) => time),
      );
    },
  );
});

describe('the search for rises', () => {
  const FINEST = 5 * MINUTE;
  const HALF_HOUR = 30 * MINUTE;
  /** So many five minutes of noise, drying, one of water, soaking, or a loose wire: how raw values change in them. */
  const part = fc
    .record({
      kind: fc.constantFrom(
        { by: [-12, 12], most: 12 },
        { by: [1, 8], most: 40 },
        { by: [-160, -60], most: 1 },
        { by: [-3, -1], most: 40 },
        { by: [-400, 400], most: 6 },
      ),
      share: fc.double({ min: 0.5, max: 1, noNaN: true }),
      skip: fc.constantFrom(0, 0, 0, 1, 6, 40),
    })
    .chain(
      ({
        kind: {
          by: [min = 0, max = 0],
          most,
        },
        share,
        skip,
      }) => {
        const length = Math.ceil(share * most);
        const step = fc.integer({ min, max });
        return fc
          .array(fc.tuple(step, step), { minLength: length, maxLength: length })
          .map((steps) => steps.map((by, at) => ({ by, skip: at === 0 ? skip : 0 })));
      },
    );

  test('PLT-8 finds around wet half hours what a look at everything finds, from whichever rise it goes on', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { minLength: 10, maxLength: 30 }).map((parts) => parts.flat()),
        fc.nat(),
        async (intervals, which) => {
          let slot = 0;
          let raw = 700;
          const stretches = intervals.map(({ skip, by: steps }) => {
            slot += 1 + skip;
            const start = START + slot * FINEST;
            const [first = 0, second = 0] = steps.map((step) => {
              raw = Math.min(1023, Math.max(0, raw + step));
              return raw;
            });
            const readings = [first * 2 ** 42 + start + 1, second * 2 ** 42 + start + 2];
            return {
              start,
              raws: [first, second],
              lowest: Math.min(...readings),
              highest: Math.max(...readings),
            };
          });
          const samples = stretches.flatMap(({ start, raws: [first = 0, second = 0] }) => [
            { time: start + 1, percent: moisturePercent(first) },
            { time: start + 2, percent: moisturePercent(second) },
          ]);
          const all = [...findRises(samples)];
          found += all.length;
          const from = all.length === 0 ? 0 : which % all.length;
          const since = all[from]?.seen.time ?? 0;
          const halves = Map.groupBy(stretches, ({ start }) => start - (start % HALF_HOUR));
          const highest = (start: number) =>
            Math.max(0, ...(halves.get(start) ?? []).flatMap(({ raws }) => raws));
          const wet = [...halves]
            .filter(([start]) => start > since - HALF_HOUR)
            .filter(([start, own]) => {
              const low = Math.min(...own.flatMap(({ raws }) => raws));
              return (Math.max(highest(start), highest(start - HALF_HOUR)) - low) * 100 >= 10 * 1023;
            })
            .map(([start]) => start);
          const search = {
            plant: 1,
            calibration: undefined,
            since,
            lastTop: all[from - 1]?.top.time,
            windows: windowsAround(wet, Number.POSITIVE_INFINITY),
          };
          const rises = await findEach([search], Number.POSITIVE_INFINITY, async (windows) =>
            windows.map((window) =>
              stretches.filter(({ start }) => start >= window.from && start < window.to),
            ),
          );
          const times = (of: typeof all) =>
            of.map(({ seen, before, top, isWatering }) => [seen.time, before.time, top.time, isWatering]);
          expect(times(rises.get(1) ?? [])).toEqual(times(all.slice(from)));
        },
      ),
      propertyRuns(300, 10_000),
    );
    expect(found).toBeGreaterThan(1000);
  });
});
