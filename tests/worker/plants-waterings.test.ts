import { findWaterings } from '#contract/moisture';
import { calibratedPercent, moisturePercent, UNCALIBRATED } from '#contract/moisture/percent';
import type { Watering } from '#contract/plants';
import { database } from '#db/client';
import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeRollups } from '../../worker/src/plants/rollups-data.ts';
import { keepWaterings } from '../../worker/src/plants/waterings-data.ts';
import { propertyRuns } from '../support/counts.ts';
import { setMark } from '../support/store-readings.ts';
import {
  DAY,
  defaults,
  freshPlant,
  getPlants,
  HOUR,
  MINUTE,
  putSettings,
  START,
  store,
  storeAt,
  withPlant,
} from './plant.ts';

withPlant();

type Reading = readonly [at: number, raw: number];

/** So many five minutes of noise, drying, one of water, soaking, or a loose wire: how the raw value changes in them. */
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
    pause: fc.constantFrom(3, 5, 5, 25, 200),
  })
  .chain(({ kind, share, pause }) => {
    const length = Math.ceil(share * kind.most);
    const [min = 0, max = 0] = kind.by;
    return fc
      .array(fc.integer({ min, max }), { minLength: length, maxLength: length })
      .map((steps) => steps.map((by, at) => ({ by, pause: at === 0 ? pause : 5 })));
  });

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
  const db = () => database(env.PLANTS_DB);
  const kept = () => env.PLANTS_DB.prepare('SELECT count(*) AS n FROM plant_waterings').first<number>('n');
  const told = async () =>
    (await getPlants<Watering[]>('/waterings')).map(({ datetime }) => Date.parse(datetime));
  const seenIn = (readings: Reading[], calibration = UNCALIBRATED) =>
    findWaterings(
      readings.map(([time, raw]) => ({ time, percent: calibratedPercent(raw, calibration) })),
    ).map(({ time }) => time);

  test.each(Array.from({ length: 12 }, (_, n) => n))(
    'PLT-8 are as if found at once, when one goes on while the step is done: %i',
    async (shift) => {
      const from = START + shift * 5 * MINUTE;
      const readings = percents.map((percent, n): Reading => [
        from + n * 5 * MINUTE,
        Math.round(1023 - percent * 10.23),
      ]);
      await storeAt(readings);
      const expected = seenIn(readings);
      expect(expected).toHaveLength(1);
      await env.PLANTS_DB.prepare('DELETE FROM plant_rollup_watermark').run();
      const found: number[] = [];
      // Looked at is what was over an hour and ten minutes before: before the rises, amid them, soon and long after them.
      for (const hours of [1, 2, 3, 4, 5, 20]) {
        await writeRollups(db(), START + (hours + 1) * HOUR + 10 * MINUTE);
        found.push((await keepWaterings(db())).waterings);
        expect(await told()).toEqual(expected);
      }
      expect([found.filter((n) => n > 0), await kept()]).toEqual([[1], 1]);
      const answer = await putSettings({ ...defaults, dry: 1000, wet: 10 });
      expect(answer.status).toBe(200);
      const anew = seenIn(readings, { dry: 1000, wet: 10 });
      expect(await told()).toEqual(anew);
      await keepWaterings(db());
      expect([await told(), await kept()]).toEqual([anew, anew.length]);
    },
  );

  test('PLT-8 are found in steps where there is much to look through, and then no more', async () => {
    // Two months of each: watered every four days.
    const count = (60 * DAY) / (5 * MINUTE);
    await env.PLANTS_DB.batch(
      [1, 2].flatMap((plant) => [
        env.PLANTS_DB.prepare("INSERT OR IGNORE INTO plants (id, name) VALUES (?, 'fern')").bind(plant),
        env.PLANTS_DB.prepare(
          `WITH RECURSIVE steps (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM steps WHERE n < ${count - 1})
           INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
           SELECT ${plant}, ${START} + n * ${5 * MINUTE}, n, 400 + (n + ${plant * 300}) % 1152 / 4, 0 FROM steps`,
        ),
      ]),
    );
    await env.PLANTS_DB.prepare('UPDATE plant_states SET last_measured_at = ?')
      .bind(START + 60 * DAY)
      .run();
    await env.PLANTS_DB.prepare('DELETE FROM plant_rollup_watermark').run();
    await writeRollups(db(), START + 61 * DAY);
    const expected = Array.from({ length: 15 }, (_, n) =>
      [551, 851].map((last) => START + n * 4 * DAY + last * 5 * MINUTE),
    ).flat();
    expect(await told()).toEqual(expected);
    expect(await keepWaterings(db())).toEqual({ waterings: 30 });
    expect([await told(), await kept()]).toEqual([expected, 30]);
    expect(await keepWaterings(db())).toEqual({ waterings: 0 });
  });

  test('PLT-8 are the same, however readings come and whenever they are looked through', async () => {
    let seen = 0;
    let inTable = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { minLength: 15, maxLength: 30 }).map((parts) => parts.flat()),
        fc.array(fc.nat(8), { minLength: 10, maxLength: 10 }),
        async (changes, delays) => {
          await freshPlant();
          await setMark(env.PLANTS_DB, START);
          let at = START;
          let raw = 700;
          const readings = changes.map(({ by, pause }): Reading => {
            at += pause * MINUTE;
            raw = Math.min(1023, Math.max(0, raw + by));
            return [at, raw];
          });
          const size = Math.ceil(readings.length / delays.length);
          const batches = delays
            .map((delay, n) => ({
              place: n + (delay > 5 ? delay : 0),
              batch: readings.slice(n * size, (n + 1) * size),
            }))
            .toSorted((a, b) => a.place - b.place);
          const known: Reading[] = [];
          let newest = START;
          for (const { batch } of batches) {
            await storeAt(batch);
            known.push(...batch);
            newest = Math.max(newest, ...batch.map(([time]) => time));
            await writeRollups(db(), newest);
            await keepWaterings(db());
            const expected = seenIn(extremesOf(known));
            expect(await told()).toEqual(expected);
            seen += expected.length;
          }
          inTable += (await kept()) ?? 0;
        },
      ),
      propertyRuns(12, 300),
    );
    expect(seen).toBeGreaterThan(100);
    expect(inTable).toBeGreaterThan(10);
  });

  /** The lowest and the highest of every five minutes, in the order of time. */
  function extremesOf(readings: Reading[]): Reading[] {
    const inOrder = readings.toSorted(([a], [b]) => a - b);
    const intervals = Map.groupBy(inOrder, ([time]) => Math.floor(time / (5 * MINUTE)));
    return [...intervals.values()].flatMap((own) => {
      const raws = own.map(([, raw]) => raw);
      const lowest = own[raws.indexOf(Math.min(...raws))];
      const highest = own[raws.lastIndexOf(Math.max(...raws))];
      return own.filter((each) => each === lowest || each === highest);
    });
  }
});
