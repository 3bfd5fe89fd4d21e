import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import type { PlantRecord } from '#contract/plants';
import { database } from '#db/client';
import { writeRollups } from '../../worker/src/plants/rollups-data.ts';
import worker from '../../worker/src/app.ts';
import { api, migrateDatabase, sessionOf } from './support.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const COUNT = 21_000;

/** So many readings, an hour apart, the newest of today: more than one statement removes. */
beforeEach(async () => {
  await migrateDatabase();
  await env.PLANTS_DB.batch([
    env.PLANTS_DB.prepare('DELETE FROM plant_readings'),
    env.PLANTS_DB.prepare('DELETE FROM plants'),
    env.PLANTS_DB.prepare('DELETE FROM plant_retention'),
    env.PLANTS_DB.prepare("INSERT INTO plants (id, name) VALUES (1, 'fern')"),
    env.PLANTS_DB.prepare(
      `WITH RECURSIVE steps (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM steps WHERE n < ${COUNT - 1})
       INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
       SELECT 1, ${Date.now()} - n * ${HOUR}, 0, n % 1024, 0 FROM steps`,
    ),
  ]);
  await env.PLANTS_DB.prepare('DELETE FROM plant_rollup_watermark').run();
  await writeRollups(database(env.PLANTS_DB), Date.now());
});

async function tidyUp(days: string): Promise<void> {
  await worker.scheduled(createScheduledController(), { ...env, PLANT_READINGS_DAYS: days });
}

async function rawReadings(): Promise<number> {
  return (await env.PLANTS_DB.prepare('SELECT count(*) AS n FROM plant_readings').first<number>('n')) ?? -1;
}

test('PLT-7 raw readings are kept forever unless somebody says otherwise', async () => {
  await tidyUp('');
  expect(await rawReadings()).toBe(COUNT);
});

test('PLT-7 raw readings go after so many days; charts of the time before stay', async () => {
  const cookie = await sessionOf('reader@lab.test', 1);
  const old = `from=${new Date(Date.now() - 380 * DAY).toISOString()}&to=${new Date(Date.now() - 300 * DAY).toISOString()}`;
  const read = async (): Promise<PlantRecord[]> => {
    const answer = await api(`/plants?points=2000&${old}`, { headers: { cookie } });
    return await answer.json();
  };
  const before = await read();
  await tidyUp('31');
  expect(await rawReadings()).toBeLessThanOrEqual(31 * 24 + 1);
  expect(await rawReadings()).toBeGreaterThanOrEqual(31 * 24);
  const after = await read();
  expect(after.length).toBeGreaterThan(1000);
  const known = new Set(before.map((record) => JSON.stringify(record)));
  expect(after.filter((record) => !known.has(JSON.stringify(record)))).toEqual([]);
  const rolledUp = 'SELECT sum(count) AS n FROM plant_rollups WHERE width = 300000';
  expect(await env.PLANTS_DB.prepare(rolledUp).first('n')).toBe(COUNT - 1);

  await tidyUp('60');
  const since = await env.PLANTS_DB.prepare('SELECT since FROM plant_retention').first<number>('since');
  expect(since).toBeGreaterThan(Date.now() - 32 * DAY);
});

test.each(['30', '-1', 'x', '99.5'])('the time to keep raw readings may not be %s', async (days) => {
  await expect(tidyUp(days)).rejects.toThrow('PLANT_READINGS_DAYS');
  expect(await rawReadings()).toBe(COUNT);
});
