import { findWaterings, moisturePercent } from '#contract/moisture';
import type { Watering } from '#contract/plants';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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
