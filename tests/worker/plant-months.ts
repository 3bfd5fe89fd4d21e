import { NO_SEQ } from '#contract/readings';
import { database } from '#db/client';
import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { storeReadings, type Row } from '../../ingest/src/readings-data.ts';
import { keepRises } from '../../worker/src/plants/keep-rises-data.ts';
import type { ReadingStore } from '../../worker/src/plants/months-data.ts';
import { moveOldReadings } from '../../worker/src/plants/move-data.ts';
import { writeRollups } from '../../worker/src/plants/rollups-data.ts';
import { call } from './client.ts';

export const MINUTE = 60_000;
export const DAY = 1440 * MINUTE;
/** The first of March and of what comes after; two months are over in May. */
export const MARCH = Date.UTC(2026, 2, 1);
export const APRIL = Date.UTC(2026, 3, 1);
export const MAY = Date.UTC(2026, 4, 1);
export const NOW = MAY + 3 * DAY;
export const PLANTS = ['fern', 'moss', '바질'];

export const db = () => database(env.PLANTS_DB);
export const store = (): ReadingStore => ({ db: db(), files: env.FILES });
export const move = (most?: number, from = store()) => moveOldReadings(from, { now: NOW, months: 1 }, most);
export const all = async (sql: string) => (await env.PLANTS_DB.prepare(sql).all()).results;
export const inDatabase = async (where = 'true') =>
  Number((await all(`SELECT count(*) AS n FROM plant_readings WHERE ${where}`))[0]?.['n']);
export const fileNames = async () => (await env.FILES.list()).objects.map(({ key }) => key);

/** Files as the sweep sees them an hour later. */
export const anHourLater = (files: R2Bucket): R2Bucket =>
  new Proxy(files, {
    get: (of, name) =>
      name === 'list'
        ? async (options: R2ListOptions) => {
            const page = await of.list(options);
            const objects = page.objects.map(({ key }) => ({ key, uploaded: new Date(0) }));
            return { ...page, objects };
          }
        : Reflect.get(of, name).bind(of),
  });

export async function fresh(): Promise<void> {
  await env.FILES.delete(await fileNames());
  await env.PLANTS_DB.batch(
    [
      'plant_readings',
      'plants',
      'plant_rises',
      'plant_rise_backlog',
      'refused_readings',
      'plant_rollup_watermark',
      'plant_retention',
    ].map((name) => env.PLANTS_DB.prepare(`DELETE FROM ${name}`)),
  );
  await env.PLANTS_DB.batch(
    PLANTS.map((name, at) =>
      env.PLANTS_DB.prepare('INSERT INTO plants (id, name) VALUES (?, ?)').bind(at + 1, name),
    ),
  );
}

export const row = (plant: string, measured_at: number, more: Partial<Row> = {}): Row => ({
  plant,
  measured_at,
  seq: NO_SEQ,
  twin_seq: -1,
  soil_moisture: 500,
  received_at: measured_at + 40,
  refused_time: null,
  ...more,
});

/** Soil that dries and is watered now and then, measured by one plant often, by another seldom, by the last in bursts. */
export function manyRows(): Row[] {
  const rows: Row[] = [];
  for (let at = MARCH + 7 * MINUTE, n = 0; at < NOW; at += 47 * MINUTE, n += 1)
    rows.push(row('fern', at, { seq: n, soil_moisture: 300 + ((n * 7) % 500) }));
  for (let at = MARCH - 2 * DAY, n = 0; at < NOW; at += 3 * DAY + 13, n += 1)
    rows.push(row('moss', at, { soil_moisture: (n * 331) % 1024 }));
  for (let n = 0; n < 700; n += 1)
    rows.push(
      row('바질', APRIL - 2 * MINUTE + Math.floor(n / 3) * 1000, {
        seq: n % 3,
        soil_moisture: (n * 17) % 1024,
        refused_time: n % 50 === 7 ? n * 1000 : null,
      }),
    );
  return rows;
}

export async function tell(rows: readonly Row[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 5000) await storeReadings(db(), rows.slice(at, at + 5000));
}

export async function rollUp(): Promise<void> {
  await writeRollups(db(), NOW);
  await keepRises(db());
}

type Asked = { plant?: string; from?: number; to?: number; points?: number };
const queryOf = ({ plant, from, to, points }: Asked) =>
  new URLSearchParams({
    ...(plant !== undefined && { plant }),
    ...(from !== undefined && { from: new Date(from).toISOString() }),
    ...(to !== undefined && { to: new Date(to).toISOString() }),
    ...(points !== undefined && { points: String(points) }),
  });

export async function read(path: string): Promise<string> {
  const answer = await call(`/plants${path}`);
  expect(answer.status).toBe(200);
  return await answer.text();
}

export async function answersTo(queries: readonly Asked[]): Promise<string[]> {
  const answers = [await read('/states'), await read('/csv'), await read('/waterings')];
  for (const query of queries) {
    const { points: _, ...range } = query;
    answers.push(await read(`?${queryOf(query)}`));
    answers.push(await read(`/csv?${queryOf(range)}`));
    answers.push(await read(`/waterings?${queryOf(range)}`));
  }
  return answers;
}

/** Instants around the ends of months and of the bursts, and anywhere. */
const instant = fc.oneof(
  fc.integer({ min: MARCH - 3 * DAY, max: NOW }),
  fc
    .tuple(fc.constantFrom(MARCH, APRIL, MAY), fc.integer({ min: -10 * MINUTE, max: 10 * MINUTE }))
    .map(([at, shift]) => at + shift),
);
const query = fc
  .record(
    {
      plant: fc.constantFrom(...PLANTS),
      ends: fc.tuple(instant, instant),
      points: fc.integer({ min: 2, max: 2000 }),
    },
    { requiredKeys: [] },
  )
  .map(({ ends, ...rest }): Asked => {
    const range = ends && { from: Math.min(...ends), to: Math.max(...ends) + 1 };
    return Object.assign({}, rest, range);
  });
export const queriesOf = (count: number) => fc.sample(query, { numRuns: count, seed: 2026 });

/** What rollups, rises and states say, and all readings by a download. */
export async function known(): Promise<unknown[]> {
  await rollUp();
  const tables = ['plant_rollups', 'plant_rises', 'plant_states', 'plant_rise_backlog'].map((table) =>
    all(`SELECT * FROM ${table} ORDER BY 1, 2, 3`),
  );
  return [await read('/csv'), ...(await Promise.all(tables))];
}

/** A dozen readings of March, and one of May that stays. */
export const few = [
  ...Array.from({ length: 12 }, (_, n) =>
    row('fern', MARCH + n * DAY, { seq: n, soil_moisture: 300 + 50 * (n % 5) }),
  ),
  row('fern', NOW - DAY),
];
export const lateFew = [
  row('fern', MARCH + 2 * DAY + 11, { soil_moisture: 1020 }),
  row('fern', MARCH + 3 * DAY, { seq: 3, soil_moisture: 450 }),
  row('fern', MARCH + 20 * DAY, { soil_moisture: 2 }),
];
