import { FINEST_ROLLUP, ROLLUP_WIDTHS } from '#db/rollups';
import type { PlantRecord } from '#contract/plants';
import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { database } from '#db/client';
import { writeRollups } from '../../worker/src/plants/rollups-data.ts';
import { splitRange, RAW_READINGS_WIDTH } from '../../worker/src/plants/data.ts';
import { propertyRuns } from '../support/counts.ts';
import { api, migrateDatabase, sessionOf } from './support.ts';

const START = Date.UTC(2025, 2, 2, 3, 4, 5, 678);
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 1440 * MINUTE;

/** A plant heard every minute for two weeks, one every five seconds for a day, one now and then for two years. */
const PLANTS = [
  { name: 'often', id: 1, count: 20_000, pause: MINUTE },
  { name: 'burst', id: 2, count: 17_280, pause: 5 * SECOND },
  { name: 'seldom', id: 3, count: 150, pause: 5 * DAY },
] as const;

/** Half of the weeks and of the years lie after it. */
const MARK = START + 7 * DAY;

let cookie = '';
let readings: { plant: string; at: number; raw: number }[] = [];

beforeAll(async () => {
  await migrateDatabase();
  cookie = await sessionOf('reader@lab.test', 1);
  for (const { name, id, count, pause } of PLANTS) {
    await env.PLANTS_DB.prepare('INSERT INTO plants (id, name) VALUES (?, ?)').bind(id, name).run();
    await env.PLANTS_DB.prepare(
      `WITH RECURSIVE steps (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM steps WHERE n < ${count - 1})
       INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
       SELECT ${id}, ${START} + n * ${pause}, n, (n * 7919 + n * n % 101) % 1024, 0 FROM steps`,
    ).run();
  }
  await env.PLANTS_DB.prepare('DELETE FROM plant_rollup_watermark').run();
  await writeRollups(database(env.PLANTS_DB), MARK);
  const { results } = await env.PLANTS_DB.prepare(
    `SELECT name AS plant, measured_at AS at, soil_moisture AS raw
     FROM plant_readings JOIN plants ON plants.id = plant_id ORDER BY at, plant`,
  ).all<{ plant: string; at: number; raw: number }>();
  readings = results;
});

async function get(query: Record<string, string>): Promise<PlantRecord[]> {
  const answer = await api(`/plants?${new URLSearchParams(query)}`, { headers: { cookie } });
  expect(answer.status).toBe(200);
  return await answer.json();
}

type Asked = { plant?: string; from?: number; to?: number; points?: number };

function inRange({ plant, from = 0, to = Number.POSITIVE_INFINITY }: Asked) {
  return readings.filter((one) => (plant ?? one.plant) === one.plant && one.at >= from && one.at < to);
}

function asked({ plant, from, to, points }: Asked): Promise<PlantRecord[]> {
  return get({
    ...(plant !== undefined && { plant }),
    ...(from !== undefined && { from: new Date(from).toISOString() }),
    ...(to !== undefined && { to: new Date(to).toISOString() }),
    ...(points !== undefined && { points: String(points) }),
  });
}

const record = ({ plant, at, raw }: (typeof readings)[number]): PlantRecord => ({
  plant,
  datetime: new Date(at).toISOString(),
  soil_moisture: raw,
});
const keyOf = ({ plant, datetime, soil_moisture }: PlantRecord) => `${datetime} ${plant} ${soil_moisture}`;

const extremesOf = (values: number[]) => [Math.min(...values), Math.max(...values)];

/** What must be so of every answer of two points or more. */
async function check(query: Asked): Promise<void> {
  const { points = 2000 } = query;
  const given = await asked(query);
  const stored = inRange(query);
  const isRaw = stored.length <= points;
  expect(isRaw ? given : []).toEqual(isRaw ? stored.map(record) : []);
  expect(given.length).toBeLessThanOrEqual(points);
  const times = given.map(({ datetime }) => datetime);
  expect(times).toEqual(times.toSorted());
  const known = new Set(stored.map((one) => keyOf(record(one))));
  expect(given.filter((one) => !known.has(keyOf(one)))).toEqual([]);
  expect(extremesOf(given.map(({ soil_moisture }) => soil_moisture))).toEqual(
    extremesOf(stored.map(({ raw }) => raw)),
  );
}

describe('any range', () => {
  /** Around the readings: within the burst, within the weeks, within the years, and outside. */
  const instant = fc
    .tuple(
      fc.constantFrom(5 * MINUTE, DAY, 14 * DAY, 740 * DAY),
      fc.double({ min: -0.2, max: 1.2, noNaN: true }),
    )
    .map(([span, share]) => START + Math.floor(span * share));
  const query = fc.record(
    {
      plant: fc.constantFrom('often', 'burst', 'seldom', 'nobody'),
      from: instant,
      to: instant,
      points: fc.oneof(fc.integer({ min: 2, max: 12 }), fc.integer({ min: 2, max: 2000 })),
    },
    { requiredKeys: [] },
  );

  test('PLT-7 has at most so many points, all of them stored, the lowest and the highest among them', async () => {
    await fc.assert(fc.asyncProperty(query, check), propertyRuns(40, 1000));
  });

  test('PLT-7 keeps the lowest and the highest of each plant when there is room', async () => {
    const given = await asked({});
    expect(given.length).toBeGreaterThan(1000);
    for (const { name } of PLANTS) {
      const stored = inRange({ plant: name }).map(({ raw }) => raw);
      const shown = given.filter(({ plant }) => plant === name).map(({ soil_moisture }) => soil_moisture);
      expect(extremesOf(shown)).toEqual(extremesOf(stored));
    }
  });

  test('PLT-7 draws a burst in full, however long the range around it', async () => {
    const given = await asked({ plant: 'burst', from: START - 700 * DAY, to: START + 700 * DAY });
    expect(given.length).toBeGreaterThan(500);
  });

  test('PLT-7 after the raw readings are gone it is answered from the rollups, and raw from then on', async () => {
    const since = Math.ceil((START + 2 * DAY) / FINEST_ROLLUP) * FINEST_ROLLUP;
    await env.PLANTS_DB.batch([
      env.PLANTS_DB.prepare('INSERT INTO plant_retention (id, since) VALUES (1, ?)').bind(since),
      env.PLANTS_DB.prepare('DELETE FROM plant_readings WHERE measured_at < ?').bind(since),
    ]);
    for (const range of [
      { plant: 'often', from: START + 10 * MINUTE, to: START + 3 * DAY },
      { plant: 'often', from: START + 1234, to: START + DAY },
      { from: since - 17 * MINUTE, to: since + 13 * MINUTE },
    ]) {
      const given = await asked(range);
      const stored = inRange(range);
      const known = new Set(stored.map((one) => keyOf(record(one))));
      expect(given.length).toBeGreaterThan(0);
      expect(given.filter((one) => !known.has(keyOf(one)))).toEqual([]);
    }
    const later = { plant: 'often', from: since, to: since + DAY };
    expect(await asked(later)).toEqual(inRange(later).map(record));
    expect((await asked({ plant: 'burst' })).length).toBeGreaterThan(500);
  });
});

describe('how a range is cut', () => {
  const range = fc
    .tuple(fc.nat(4_000_000_000), fc.oneof(fc.nat(1_000_000), fc.nat(90_000_000_000)))
    .map(([from, length]) => ({ from, to: from + length }));

  test('PLT-7 pieces follow each other without gap or overlap, in whole stretches, ever wider to the middle', () => {
    fc.assert(
      fc.property(
        range,
        fc.constantFrom(RAW_READINGS_WIDTH, ...ROLLUP_WIDTHS),
        fc.nat(20_000),
        ({ from, to }, width, sixteenth) => {
          const mark = sixteenth * 16 * FINEST_ROLLUP;
          const all = splitRange({ from, to }, width, { rawSince: 0, mark }).toSorted(
            (a, b) => a.from - b.from,
          );
          expect(all.filter((piece) => piece.to > mark && piece.width !== RAW_READINGS_WIDTH)).toEqual([]);
          const pieces = splitRange({ from, to }, width, {
            rawSince: 0,
            mark: Number.POSITIVE_INFINITY,
          }).toSorted((a, b) => a.from - b.from);
          expect(all.filter((piece) => piece.to <= Math.min(from, mark))).toEqual([]);
          let at = from;
          for (const piece of pieces) {
            expect(piece.from).toBe(at);
            expect(piece.to).toBeGreaterThan(piece.from);
            expect(piece.width).toBeLessThanOrEqual(width);
            const unit = piece.width === RAW_READINGS_WIDTH ? 1 : piece.width;
            expect([piece.from % unit, piece.to % unit]).toEqual([0, 0]);
            at = piece.to;
          }
          expect(at).toBe(to);
          const widths = pieces.map((piece) => piece.width);
          const top = widths.indexOf(Math.max(...widths));
          expect(widths.slice(0, top)).toEqual(widths.slice(0, top).toSorted((a, b) => a - b));
          expect(widths.slice(top)).toEqual(widths.slice(top).toSorted((a, b) => b - a));
        },
      ),
      propertyRuns(300, 10_000),
    );
  });

  test('PLT-7 each width is a multiple of the one before', () => {
    for (const [at, width] of ROLLUP_WIDTHS.entries()) expect(width % (ROLLUP_WIDTHS[at - 1] ?? 1)).toBe(0);
  });
});
