import type { PlantState, Watering } from '#contract/plants';
import { database } from '#db/client';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { writeRollups } from '../../worker/src/plants/rollups-data.ts';
import { judgePlants } from '../../worker/src/plants/assessment-data.ts';
import { saveWaterings } from '../../worker/src/plants/waterings-data.ts';
import { countedD1 } from '../support/counted-d1.ts';
import { potHistory } from '../support/pot.ts';
import { setMark, tellReadings } from '../support/store-readings.ts';
import { DAY, defaults, getPlants, HOUR, MINUTE, putSettings, storeAt, withPlant } from './plant.ts';

withPlant();

const now = Date.now();
const rawOf = (percent: number) => Math.round(1023 - percent * 10.23);
const basil = async () => {
  const [state] = await getPlants<PlantState[]>('/states');
  if (!state) throw new Error('there is no plant');
  return state;
};
/** So many hours of soil up to now, every ten minutes: percent at the end, and how many points it loses a day. */
const soil = (hours: number, percent: number, perDay = 0, until = now) =>
  potHistory({
    from: until - hours * HOUR,
    to: until,
    every: 10 * MINUTE,
    raw: rawOf(percent + (perDay * hours) / 24),
    perDay: perDay * 10.23,
  });

describe('dry', () => {
  test('PLT-22 PLT-9 is soil that stays below the limit, and none that was there once; card and count of the menu agree', async () => {
    await storeAt(soil(30, 24, 4));
    expect(await basil()).toMatchObject({ alert_since: null });
    await storeAt([[now + MINUTE, rawOf(12)]]);
    expect(await basil()).toMatchObject({ alert_since: null, last_soil_moisture: rawOf(12) });
    await storeAt(soil(36, 18, 4, now + 36 * HOUR));
    expect(await basil()).toMatchObject({
      alert_since: expect.any(String),
      days_until_dry: 0,
      forecast: null,
    });
  });

  test('PLT-22 noise at the limit changes nothing again and again', async () => {
    await storeAt(soil(48, 17, 2));
    const since = (await basil()).alert_since;
    expect(since).not.toBeNull();
    for (const [step, percent] of [19, 21, 24, 19, 24.5].entries()) {
      await storeAt(soil(1, percent, 0, now + (step + 2) * HOUR));
      expect((await basil()).alert_since).toBe(since);
    }
  });

  test.each([
    [{ ...defaults, alert_below: 0, alert_clear: 5 }, 1015],
    [{ ...defaults, dry: 800, wet: 300 }, 700],
    [{ ...defaults, dry: 800, wet: 300, alert_below: 99.9, alert_clear: 100 }, 300],
  ])(
    'PLT-22 at %j the raw value %i is not below the limit, and nothing says that it is',
    async (limits, raw) => {
      await storeAt(
        potHistory({ from: now - 12 * HOUR, to: now, every: 10 * MINUTE, raw, perDay: 0, noise: 0.4 }),
      );
      await putSettings(limits);
      const state = await basil();
      expect([state.alert_since, state.days_until_dry === 0]).toEqual([null, false]);
    },
  );

  test('PLT-22 PLT-9 a changed limit is judged in the request that changes it, and what goes on began when it began', async () => {
    await storeAt(soil(12, 31));
    const alertAfter = async (limits: object) => {
      expect((await putSettings({ ...defaults, ...limits })).status).toBe(200);
      return await env.PLANTS_DB.prepare('SELECT alert_since FROM plant_states').first<number>('alert_since');
    };
    expect(await alertAfter({})).toBeNull();
    const since = await alertAfter({ alert_below: 33, alert_clear: 40 });
    expect(since).not.toBeNull();
    await storeAt(soil(1, 30, 0, now + 2 * HOUR));
    expect(await alertAfter({ alert_below: 35, alert_clear: 40 })).toBe(since);
    // Between the limits it stays.
    expect(await alertAfter({ alert_below: 25, alert_clear: 34 })).toBe(since);
    expect(await alertAfter({})).toBeNull();
    expect(await alertAfter({ dry: 700, wet: 300 })).not.toBeNull();
  });
});

describe('the forecast', () => {
  test('PLT-21 PLT-8 of a plant that falls from 40 % by 2 a day and is dry at 30 % is about 5 days, in its own percentage', async () => {
    await storeAt(
      potHistory({
        from: now - 16 * DAY,
        to: now,
        every: 30 * MINUTE,
        raw: 440,
        perDay: 20,
        watered: [[now - 6 * DAY, 480]],
        noise: 1,
      }),
    );
    await putSettings({ ...defaults, dry: 1000, wet: 0, alert_below: 30, alert_clear: 35 });
    const state = await basil();
    expect(state.days_until_dry).toBeGreaterThan(4.5);
    expect(state.days_until_dry).toBeLessThan(5.5);
    expect(state.forecast?.low).toBeLessThan(5);
    expect(state.forecast?.high).toBeGreaterThan(5);
  });

  test('PLT-21 is the same whoever else is shown', async () => {
    await storeAt(soil(5 * 24, 40, 3));
    const alone = await basil();
    // Of a forecast without an end no day is promised.
    expect(alone).toMatchObject({ days_until_dry: null, forecast: { low: expect.any(Number), high: null } });
    const others = Array.from({ length: 30 }, (_, n) => `plant ${n}`);
    await tellReadings(
      env.PLANTS_DB,
      others.flatMap((plant) => soil(48, 60, 5).map(([at, raw]) => [plant, at, raw] as const)),
    );
    expect(await basil()).toEqual(alone);
  });

  test('PLT-21 is not known while the board is silent', async () => {
    await storeAt(soil(5 * 24, 40, 3, now - 2 * HOUR));
    expect(await basil()).toMatchObject({ days_until_dry: null, forecast: null });
    await storeAt([[now, rawOf(40)]]);
    expect((await basil()).forecast?.low).toBeGreaterThan(2);
  });

  test('PLT-21 is not known while the board has told for less than a day', async () => {
    await storeAt(soil(6, 50, 8));
    expect(await basil()).toMatchObject({ days_until_dry: null, forecast: null });
  });
});

describe('a sensor that cannot be right', () => {
  test('PLT-23 is at fault, neither dry nor watered, and what was said of the soil before is not said again', async () => {
    await storeAt(soil(48, 55, 1));
    await storeAt(Array.from({ length: 30 }, (_, n) => [now + (n + 1) * 10 * MINUTE, 0] as const));
    expect(await basil()).toMatchObject({
      fault: { kind: 'rail', since: expect.any(String) },
      faults: [{ kind: 'rail', to: null }],
      alert_since: null,
      days_until_dry: null,
      forecast: null,
    });
    expect(await getPlants<Watering[]>('/waterings')).toEqual([]);
  });

  test('PLT-23 a plant that never comes near the ends is offered a calibration from its own extremes', async () => {
    const watered = [18, 12, 6].map((days) => [now - days * DAY, 400] as const);
    await storeAt(potHistory({ from: now - 24 * DAY, to: now, every: HOUR, raw: 400, perDay: 24, watered }));
    const { calibration_offered: offered } = await basil();
    expect(offered?.dry).toBeGreaterThan(500);
    expect(offered?.wet).toBeLessThan(430);
    await putSettings({ ...defaults, ...offered });
    expect((await basil()).calibration_offered).toBeNull();
  });
});

describe('what judging costs', () => {
  test('PLT-22 a plant is read in full once in half an hour, or when its newest reading disagrees', async () => {
    const counts = { written: 0, size: 0, read: 0 };
    const db = database(countedD1(env.PLANTS_DB, counts));
    await setMark(env.PLANTS_DB, now - 61 * DAY);
    await tellReadings(
      env.PLANTS_DB,
      potHistory({ from: now - 60 * DAY, to: now, every: 5 * MINUTE, raw: 400, perDay: 5 }).map(
        ([at, raw]) => ['basil', at, raw] as const,
      ),
    );
    await writeRollups(db, now);
    const half = Math.floor(now / (30 * MINUTE)) * 30 * MINUTE;
    const cost = async (at: number) => {
      Object.assign(counts, { written: 0, read: 0 });
      const judged = await judgePlants(db, at);
      return { judged: judged.length, ...counts };
    };
    const first = await cost(half);
    expect(first).toMatchObject({ judged: 1, written: 1 });
    expect(first.read).toBeLessThan(1500);
    expect(await cost(half + 31 * MINUTE)).toMatchObject({ judged: 0, written: 0 });
    await storeAt([[now + MINUTE, 700]]);
    expect(await cost(half + 5 * MINUTE)).toMatchObject({ judged: 0 });
    expect(await cost(half + 31 * MINUTE)).toMatchObject({ judged: 1 });
    await storeAt([[now + 2 * MINUTE, 900]]);
    expect(await cost(half + 32 * MINUTE)).toMatchObject({ judged: 1 });
    expect((await saveWaterings(db)).waterings).toBe(0);
  });
});
