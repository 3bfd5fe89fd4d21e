import { database } from '#db/client';
import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Row } from '../../ingest/src/readings-data.ts';
import { streamCsv } from '../../worker/src/plants/csv-data.ts';
import { listReadings } from '../../worker/src/plants/data.ts';
import type { ReadingStore } from '../../worker/src/plants/months-data.ts';
import { fewOrMany, propertyRuns } from '../support/counts.ts';
import { asAdmin } from './client.ts';
import {
  all,
  answersTo,
  APRIL,
  DAY,
  few,
  fresh,
  inDatabase,
  known,
  lateFew,
  manyRows,
  MARCH,
  MINUTE,
  move,
  NOW,
  PLANTS,
  queriesOf,
  read,
  row,
  rollUp,
  store,
  tell,
} from './plant-months.ts';
import { migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();

test('PLT-14 every chart, download and list of waterings says the same before and after the move', async () => {
  await fresh();
  await tell(manyRows());
  await rollUp();
  const queries = queriesOf(fewOrMany(40, 2000));
  const before = await answersTo(queries);
  const stored = await inDatabase();
  const moved = await move();
  expect(await inDatabase(`measured_at < ${APRIL}`)).toBe(0);
  expect(await inDatabase()).toBe(stored - moved.readingsMoved);
  expect(moved).toMatchObject({ monthsMoved: 4, lateReadings: 0 });
  expect(await answersTo(queries)).toEqual(before);
  expect(await move()).toEqual({ monthsMoved: 0, readingsMoved: 0, lateReadings: 0 });
});

/** More readings in March than are drawn singly. */
const often = Array.from({ length: 9000 }, (_, n) =>
  row('fern', MARCH + DAY + n * 2 * MINUTE, { soil_moisture: 300 + ((n * 7919) % 400) }),
);

test('PLT-14 PLT-7 so does a chart of more readings than are fetched from R2, to the millisecond at both ends', async () => {
  await fresh();
  await tell(often);
  await rollUp();
  const ranges = [
    [7, 8000],
    [60_001, 0],
    [MINUTE, 17 * DAY],
    [11 * MINUTE + 1, 12 * DAY + 1],
    [0, 3],
  ];
  const queries = ranges.map(([first = 0, last = 0]) => ({
    from: MARCH + DAY + first,
    to: MARCH + 20 * DAY - last,
    points: 300,
  }));
  const before = await answersTo(queries);
  await move();
  expect(await inDatabase()).toBe(0);
  expect(await answersTo(queries)).toEqual(before);
});

describe('a reading that comes late', () => {
  const some = manyRows();
  const isOld = ({ measured_at }: Row) => measured_at < APRIL;
  const again = (one: Row, more: Partial<Row>): Row => ({ ...one, ...more });
  const newRow = fc
    .record({
      plant: fc.constantFrom(...PLANTS),
      at: fc.integer({ min: MARCH, max: APRIL + DAY }),
      raw: fc.integer({ min: 0, max: 1023 }),
      seq: fc.integer({ min: 5000, max: 5003 }),
    })
    .map(({ plant, at, raw, seq }) => row(plant, at, { soil_moisture: raw, seq }));
  // What is there already, as it is or with another value.
  const repeated = fc
    .tuple(fc.constantFrom(...some.filter(isOld)), fc.constantFrom(0, 0, 9))
    .map(([one, more]) => again(one, { soil_moisture: (one.soil_moisture + more) % 1024 }));
  // The board sends a time again that was refused, and is received at another one.
  const refusedAgain = fc
    .constantFrom(...some.filter((one) => isOld(one) && one.refused_time !== null))
    .map((one) => again(one, { measured_at: one.measured_at + 5, received_at: one.received_at + 5 }));
  const size = { minLength: 1, maxLength: 40 };
  const lateRows = fc.oneof(
    fc.record({ late: fc.array(newRow, size), isNew: fc.constant(true) }),
    fc.record({ late: fc.array(fc.oneof(newRow, repeated, refusedAgain), size), isNew: fc.constant(false) }),
  );

  test('PLT-14 PLT-7 is read at once, and after the night all is as if its month had not been moved', async () => {
    await fc.assert(
      fc.asyncProperty(lateRows, async ({ late, isNew }) => {
        await fresh();
        await tell(some);
        await rollUp();
        await tell(late);
        const expected = await known();
        await fresh();
        await tell(some);
        await rollUp();
        await move();
        await tell(late);
        // A download is right at once, apart from other values for the same moment.
        const isRight = (await read('/csv')) === expected[0];
        expect(isRight || !isNew).toBe(true);
        await move();
        expect(await inDatabase(`measured_at < ${APRIL}`)).toBe(0);
        expect(await known()).toEqual(expected);
      }),
      propertyRuns(6, 200),
    );
  });

  test('PLT-14 the extremes of a chart hold it before the night', async () => {
    await fresh();
    await tell(often);
    await rollUp();
    await move();
    await tell([
      row('fern', MARCH + 9 * DAY + 7, { soil_moisture: 1023 }),
      row('fern', MARCH + 8 * DAY, { soil_moisture: 1 }),
    ]);
    const range = `from=${new Date(MARCH).toISOString()}&to=${new Date(NOW).toISOString()}`;
    const given: { soil_moisture: number }[] = JSON.parse(await read(`?plant=fern&points=20&${range}`));
    expect(given.length).toBeLessThanOrEqual(20);
    const raw = given.map(({ soil_moisture }) => soil_moisture);
    expect([Math.min(...raw), Math.max(...raw)]).toEqual([1, 1023]);
  });

  test('PLT-14 ING-5 another value for a moment in R2 is a dead letter, and the first stays', async () => {
    await fresh();
    await tell([row('fern', MARCH + DAY, { seq: 4, soil_moisture: 300 })]);
    await rollUp();
    await move();
    await tell([row('fern', MARCH + DAY, { seq: 4, soil_moisture: 301 })]);
    expect(await move()).toEqual({ monthsMoved: 0, readingsMoved: 0, lateReadings: 1 });
    expect(await read('/csv')).toContain(',fern,300,');
    const [letter] = await all('SELECT reading, reason FROM refused_readings');
    expect(letter?.['reason']).toBe('another value is stored for this plant, datetime and seq');
    expect(JSON.parse(String(letter?.['reading']))).toMatchObject({
      plant: 'fern',
      soil_moisture: 301,
      seq: 4,
    });
    expect(await all('SELECT readings FROM plant_states WHERE plant_id = 1')).toEqual([{ readings: 1 }]);
  });
});

/** A store in which months are moved before the given batch of a reader. */
function movingMeanwhile(before: number): ReadingStore {
  let batches = 0;
  const batch: D1Database['batch'] = async (statements) => {
    batches += 1;
    if (batches === before) await move();
    return await env.PLANTS_DB.batch(statements);
  };
  const d1 = new Proxy(env.PLANTS_DB, {
    get: (of, name) => (name === 'batch' ? batch : Reflect.get(of, name).bind(of)),
  });
  return { db: database(d1), files: env.FILES };
}

test('PLT-14 a month that is moved or merged under a reader is read whole', async () => {
  const range = { from: MARCH - DAY, to: NOW };
  const readers: ((from: ReadingStore) => Promise<string>)[] = [
    (from) => listReadings(from, range, 2000),
    (from) => listReadings(from, range, 6),
    async (from) => new Response(await streamCsv([from], {}, range, () => Promise.resolve())).text(),
  ];
  for (const late of [[], lateFew])
    for (const reader of readers)
      for (const before of [1, 2, 3, 4]) {
        await fresh();
        await tell(few);
        await rollUp();
        if (late.length > 0) await move();
        await tell(late);
        const expected = await reader(store());
        const given = await reader(movingMeanwhile(before));
        expect(late.length > 0 || given === expected).toBe(true);
        expect(new Set(given.match(/2026-\d\d-\d\dT[^,"]*/g))).toEqual(
          new Set(expected.match(/2026-\d\d-\d\dT[^,"]*/g)),
        );
      }
});
