import { database } from '#db/client';
import { plantMonths } from '#db/plants';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { deleteRemoved, removePlant } from '../../worker/src/plants/life-data.ts';
import { openMonth, removeOrphanMonths, type ReadingStore } from '../../worker/src/plants/months-data.ts';
import { moveOldReadings } from '../../worker/src/plants/move-data.ts';
import { removeReadingsBefore } from '../../worker/src/plants/retention-data.ts';
import { asAdmin } from './client.ts';
import {
  anHourLater,
  APRIL,
  DAY,
  db,
  few,
  fileNames,
  fresh,
  inDatabase,
  known,
  lateFew,
  manyRows,
  MARCH,
  MAY,
  move,
  read,
  row,
  rollUp,
  store,
  tell,
} from './plant-months.ts';
import { migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();

/** A store of whose calls of databases and R2 each is told of first. */
function watchedStore(called: (name: string) => void): ReadingStore {
  const watched = <Kind extends object>(target: Kind, names: string[]): Kind =>
    new Proxy(target, {
      get: (of, name) => {
        const value: unknown = Reflect.get(of, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          if (names.includes(String(name))) called(String(name));
          return Reflect.apply(value, of, args);
        };
      },
    });
  const { files } = store();
  return {
    db: database(watched(env.PLANTS_DB, ['prepare', 'batch'])),
    files: watched(files, ['get', 'put']),
  };
}

/** One whose calls fail from the given one on, as if the worker had been killed. */
function failingStore(calls: number): ReadingStore {
  let left = calls;
  return watchedStore(() => {
    if (left <= 0) throw new Error('killed');
    left -= 1;
  });
}

test.each([
  ['moved', []],
  ['merged', lateFew],
])(
  'PLT-14 killed at any step while a month is %s, nothing is lost or double, and the next night ends it',
  async (_, late) => {
    await fresh();
    await tell([...few, ...late]);
    const expected = await known();
    let isOver = false;
    let calls = 0;
    for (; !isOver; calls += 1) {
      await fresh();
      await tell(few);
      await rollUp();
      if (late.length > 0) await move();
      await tell(late);
      isOver = await move(undefined, failingStore(calls)).then(
        () => true,
        () => false,
      );
      expect(await read('/csv')).toEqual(expected[0]);
      await move();
      expect(await known()).toEqual(expected);
      expect(await inDatabase()).toBe(1);
    }
    expect(calls).toBeGreaterThan(8);
  },
);

test('PLT-14 a night moves no more than it may, and none of a month that is not over or not rolled up', async () => {
  await fresh();
  await tell(manyRows());
  expect(await move()).toMatchObject({ monthsMoved: 0 });
  await rollUp();
  // A step for the file and one for the database.
  expect(await move(1)).toMatchObject({ monthsMoved: 0 });
  expect(await move(1)).toMatchObject({ monthsMoved: 1 });
  expect(await fileNames()).toHaveLength(1);
  for (const most of [10, 21]) {
    let queries = 0;
    const counted = watchedStore((name) => (queries += name === 'prepare' ? 1 : 0));
    expect((await move(most, counted)).monthsMoved).toBeGreaterThan(0);
    // The last step goes beyond, and the marks are asked for once.
    expect(queries).toBeLessThanOrEqual(most + 7);
    expect(queries).toBeGreaterThan(most - 4);
  }
  await move();
  // The last moment of April is not the end of a month that was over a month ago.
  const at = { now: Date.UTC(2026, 4, 31, 23, 59, 59, 999), months: 1 };
  expect(await moveOldReadings(store(), at)).toMatchObject({ monthsMoved: 0 });
  expect(await moveOldReadings(store(), { ...at, now: at.now + 1 })).toMatchObject({ monthsMoved: 3 });
  expect(await inDatabase(`measured_at < ${MAY}`)).toBe(0);
});

test('PLT-14 a damaged or missing file is told of by name, and what is in the database of others moves on', async () => {
  await fresh();
  await tell(few);
  await rollUp();
  await move();
  const [name = ''] = await fileNames();
  expect(name).toMatch(/^readings\/1\/2026-03-[0-9a-f]{32}\.parquet$/);
  const content = new Uint8Array((await (await env.FILES.get(name))?.arrayBuffer()) ?? []);
  content[99] = (content[99] ?? 0) ^ 1;
  await env.FILES.put(name, content);
  const [month] = await db().select().from(plantMonths);
  if (!month) throw new Error('no month');
  await expect(openMonth(env.FILES, month)).rejects.toThrow(`the file ${name} is damaged`);
  await env.FILES.delete(name);
  await expect(openMonth(env.FILES, month)).rejects.toThrow(`the file ${name} is missing`);
  await tell([row('fern', MARCH + 7), row('moss', MARCH + 9)]);
  await rollUp();
  await expect(move()).rejects.toThrow('readings of 1 plants were not moved, of number 1 first');
  expect(await inDatabase('plant_id = 1')).toBe(2);
  expect(await inDatabase('plant_id = 2')).toBe(0);
});

const sweep = () => removeOrphanMonths([db()], anHourLater(env.FILES));

test('PLT-14 PLT-13 files go with their plant, with the time that readings are kept, and when another replaces them', async () => {
  await fresh();
  await tell(manyRows());
  await rollUp();
  await move();
  expect(await sweep()).toBe(0);
  const before = await fileNames();
  await tell([row('fern', MARCH + 11)]);
  await move();
  expect((await fileNames()).length).toBe(before.length + 1);
  expect(await sweep()).toBe(1);
  expect(await removeOrphanMonths([db()], env.FILES)).toBe(0);

  const by = { id: null, address: 'operator', requestId: 'r' };
  await removePlant(db(), by, { plant: 'fern' }, undefined);
  expect(await sweep()).toBe(1);
  await deleteRemoved(db());
  const known = (await fileNames()).map((name) => name.slice(0, 'readings/2/2026-03'.length));
  expect(known).toEqual(['readings/2/2026-02', 'readings/2/2026-03', 'readings/3/2026-03']);

  const kept = await read('/csv');
  await removeReadingsBefore(db(), MARCH + 10 * DAY);
  const linesSince = kept.split('\r\n').filter((line) => !line.startsWith('2026') || line >= '2026-03-11');
  expect(await read('/csv')).toBe(linesSince.join('\r\n'));
  expect(await sweep()).toBe(1);
  await removeReadingsBefore(db(), APRIL);
  expect(await sweep()).toBe(2);
  expect(await fileNames()).toEqual([]);
});

test('PLT-14 PLT-7 what came late for a month in R2 goes with its month, once it is merged, and is counted as ever', async () => {
  await fresh();
  await tell([...few, ...lateFew]);
  await rollUp();
  await move();
  await removeReadingsBefore(db(), APRIL);
  const expected = await known();

  await fresh();
  await tell(few);
  await rollUp();
  await move();
  await tell([...lateFew, ...few.slice(0, 1)]);
  const late = await inDatabase(`measured_at < ${APRIL}`);
  expect(late).toBeGreaterThan(1);
  await removeReadingsBefore(db(), APRIL);
  expect(await inDatabase(`measured_at < ${APRIL}`)).toBe(late);
  await move();
  await removeReadingsBefore(db(), APRIL);
  expect(await inDatabase(`measured_at < ${APRIL}`)).toBe(0);
  expect(await known()).toEqual(expected);
});
