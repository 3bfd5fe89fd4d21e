import type { Watering } from '#contract/plants';
import { database } from '#db/client';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { writeRollups } from '../../worker/src/plants/rollups-data.ts';
import { judgePlants } from '../../worker/src/plants/assessment-data.ts';
import { saveWaterings } from '../../worker/src/plants/waterings-data.ts';
import { potHistory } from '../support/pot.ts';
import { setMark, tellReadings } from '../support/store-readings.ts';
import { DAY, getPlants, HOUR, MINUTE, START, storeAt, withPlant } from './plant.ts';

withPlant();

const water = START + 10 * DAY + 5 * MINUTE;
const pot = (every: number, watered: readonly (readonly [number, number])[] = [[water, 400]]) =>
  potHistory({ from: START, to: START + 14 * DAY, every, raw: 500, perDay: 20, watered });
const waterings = (query = '') => getPlants<Watering[]>(`/waterings${query}`);

describe('GET /api/plants/waterings', () => {
  test.each([1, 10, 30, 60, 180])(
    'PLT-20 PLT-8 a watering stands at its last dry reading, of a board that sends every %i minutes',
    async (minutes) => {
      await storeAt(pot(minutes * MINUTE));
      const found = await waterings();
      expect(found).toHaveLength(1);
      expect(found[0]?.plant).toBe('basil');
      const at = Date.parse(found[0]?.datetime ?? '');
      expect(at).toBeLessThanOrEqual(water + 15 * MINUTE);
      expect(water - at).toBeLessThanOrEqual(minutes * MINUTE + 5 * MINUTE);
      expect(Date.parse(found[0]?.until ?? '')).toBeGreaterThan(at);
      expect(found[0]?.before).toBeGreaterThan(690);
      expect(found[0]?.after).toBeLessThan(430);
    },
  );

  test('PLT-20 a range has those that began in it, a plant its own', async () => {
    await storeAt(
      pot(30 * MINUTE, [
        [START + 5 * DAY, 450],
        [water, 400],
      ]),
    );
    await tellReadings(
      env.PLANTS_DB,
      pot(30 * MINUTE, []).map(([at, raw]) => ['fern', at, raw] as const),
    );
    const at = (ms: number) => new Date(START + ms).toISOString();
    expect(await waterings()).toHaveLength(2);
    expect(await waterings('?plant=basil')).toHaveLength(2);
    expect(await waterings('?plant=fern')).toEqual([]);
    expect(await waterings('?plant=cactus')).toEqual([]);
    expect(await waterings(`?from=${at(9 * DAY)}&to=${at(11 * DAY)}`)).toHaveLength(1);
    expect(await waterings(`?from=${at(11 * DAY)}`)).toEqual([]);
  });

  test('PLT-20 putting a sensor back into the same soil is none, nor is a short circuit', async () => {
    const dry = pot(10 * MINUTE, []);
    const out = START + 12 * DAY;
    await storeAt(dry.map(([at, raw]) => [at, at >= out && at < out + 3 * HOUR ? 1008 : raw] as const));
    expect(await waterings()).toEqual([]);
    await storeAt(
      Array.from({ length: 100 }, (_, step) => [START + 14 * DAY + (step + 1) * 10 * MINUTE, 0] as const),
    );
    expect(await waterings()).toEqual([]);
  });

  test('PLT-8 are there long after, found in stretches, and then looked for no more', async () => {
    const db = database(env.PLANTS_DB);
    const years = Array.from({ length: 100 }, (_, n) => [START - 600 * DAY + n * 6 * DAY, 400] as const);
    await setMark(env.PLANTS_DB, START - 601 * DAY);
    await tellReadings(
      env.PLANTS_DB,
      potHistory({
        from: START - 600 * DAY,
        to: START,
        every: 2 * HOUR,
        raw: 500,
        perDay: 40,
        watered: years.slice(1),
      }).map(([at, raw]) => ['basil', at, raw] as const),
    );
    await writeRollups(db, START + HOUR, Number.POSITIVE_INFINITY);
    await judgePlants(db, START + HOUR);
    const { waterings: kept } = await saveWaterings(db);
    expect(kept).toBeGreaterThan(95);
    expect(await waterings()).toHaveLength(99);
    expect(await saveWaterings(db)).toEqual({ waterings: 0 });
  });
});
