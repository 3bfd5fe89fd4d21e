import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { api, migrateDatabase, sessionOf } from './support.ts';
import { words } from '../support/words.ts';

const START = Date.parse('2026-03-02T00:00:00Z');
const MINUTE = 60_000;

let cookie = '';
beforeAll(async () => {
  await migrateDatabase();
  cookie = await sessionOf('reader@lab.test', 1);
  await env.PLANTS_DB.batch([
    env.PLANTS_DB.prepare("INSERT INTO plants (id, name) VALUES (1, 'basil'), (2, '고무나무')"),
    // A slow saw with one dip and one peak that no thinning may lose.
    env.PLANTS_DB.prepare(
      `INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
       WITH RECURSIVE steps (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM steps WHERE n < 4999)
       SELECT 1, ? + n * ${MINUTE}, n, CASE n WHEN 1234 THEN 3 WHEN 4321 THEN 1020 ELSE 400 + n % 100 END, 0 FROM steps`,
    ).bind(START),
    env.PLANTS_DB.prepare(
      `INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
       VALUES (2, ?, 0, 512, 0)`,
    ).bind(START),
  ]);
});

type Records = { plant: string; datetime: string; soil_moisture: number }[];
const get = async (query: string): Promise<Records> => {
  const answer = await api(`/plants${query}`, { headers: { cookie } });
  expect(answer.status).toBe(200);
  return await answer.json();
};

describe('GET /api/plants', () => {
  test('PLT-1 raw readings, oldest first, times in UTC', async () => {
    const records = await get('?plant=basil&to=2026-03-02T00:03:00Z');
    expect(records).toEqual([
      { plant: 'basil', datetime: '2026-03-02T00:00:00.000Z', soil_moisture: 400 },
      { plant: 'basil', datetime: '2026-03-02T00:01:00.000Z', soil_moisture: 401 },
      { plant: 'basil', datetime: '2026-03-02T00:02:00.000Z', soil_moisture: 402 },
    ]);
  });

  test('a reading whose clock was refused tells what the clock said', async () => {
    await env.PLANTS_DB.batch([
      env.PLANTS_DB.prepare("INSERT INTO plants (id, name) VALUES (3, 'clockless')"),
      env.PLANTS_DB.prepare(
        `INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at, refused_time)
         VALUES (3, ?, 0, 512, 0, 7000), (3, ?, 1, 513, 0, NULL)`,
      ).bind(START, START + 1),
    ]);
    expect(await get('?plant=clockless')).toEqual([
      {
        plant: 'clockless',
        datetime: '2026-03-02T00:00:00.000Z',
        soil_moisture: 512,
        refused_datetime: '1970-01-01T00:00:07.000Z',
      },
      { plant: 'clockless', datetime: '2026-03-02T00:00:00.001Z', soil_moisture: 513 },
    ]);
  });

  test('from is inclusive, to exclusive, zones are understood', async () => {
    const records = await get('?plant=basil&from=2026-03-02T09:01:00%2B09:00&to=2026-03-02T00:02:00Z');
    expect(records.map(({ soil_moisture }) => soil_moisture)).toEqual([401]);
  });

  test('an unknown plant is an empty list', async () => {
    expect(await get('?plant=cactus')).toEqual([]);
  });

  test.each([1, 2, 3, 7, 100, 1999, 2000])('PLT-7 at most %i points, oldest first', async (points) => {
    const records = await get(`?points=${points}`);
    expect(records.length).toBeLessThanOrEqual(points);
    expect(records.length).toBeGreaterThan(0);
    const times = records.map(({ datetime }) => datetime);
    expect(times).toEqual(times.toSorted());
  });

  test('PLT-7 thinning keeps the extremes', async () => {
    const values = (await get('?plant=basil&points=50')).map(({ soil_moisture }) => soil_moisture);
    expect(values).toContain(3);
    expect(values).toContain(1020);
    expect(values.length).toBeGreaterThan(25);
  });

  test('exactly as many readings as points come raw', async () => {
    const to = new Date(START + 50 * MINUTE).toISOString();
    expect(await get(`?plant=basil&to=${to}&points=50`)).toHaveLength(50);
  });

  test.each(
    words(`
    points=2001 points=0 points=-1 points=x from=yesterday from=2026-03-02T00:00:00 plant=
  `),
  )('a wrong query is refused by name: %s', async (query) => {
    const answer = await api(`/plants?${query}`, { headers: { cookie } });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { field: query.split('=')[0] } });
  });
});
