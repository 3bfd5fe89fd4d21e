import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PlantsOnTheWay } from '#contract/errors';
import { allHomes, homesIn, rightHome } from '#db/homes';
import type { Row } from '../../ingest/src/data.ts';
import { deleteRemoved } from '../../worker/src/plants/life-data.ts';
import { removeOrphanMonths } from '../../worker/src/plants/months-data.ts';
import { moveGroups } from '../../worker/src/plants/homes-data.ts';
import { migrateDatabase } from './support.ts';
import { fewOrMany, propertyRuns } from '../support/counts.ts';
import { asAdmin, callWith } from './client.ts';
import { anHourLater, APRIL, DAY, MARCH, MINUTE, NOW, row } from './plant-months.ts';
import {
  alone,
  answer,
  directory,
  fileMonths,
  freshHomes,
  isUnderWay,
  moveAll,
  rollUpHomes,
  several,
  tellHomes,
  type Installation,
} from './plants-homes.ts';

beforeAll(migrateDatabase);
asAdmin();
beforeEach(freshHomes);

const GROUPS = ['', 'moss-lab', 'reed-lab', 'ivy-lab', 'fern-lab'];
const idsOf = (group: string) => ['fern', '바질'].map((name) => (group === '' ? name : `${group}/${name}`));
const PLANTS = GROUPS.flatMap(idsOf);

/** Two months of soil that dries and is watered, of two plants in each of five groups. */
function someRows(from = MARCH, until = NOW - 2 * DAY): Row[] {
  return PLANTS.flatMap((plant, p) => {
    const rows: Row[] = [];
    for (let at = from + p * MINUTE, n = 0; at < until; at += (2 + (p % 3)) * 60 * MINUTE, n += 1)
      rows.push(row(plant, at, { seq: n, twin_seq: -n - 1, soil_moisture: 300 + ((n * (7 + p)) % 500) }));
    return rows;
  });
}

/** Everything that a screen shows of a group, whatever database it comes from. */
async function shownOf(bound: Installation, group: string): Promise<string[]> {
  const range = `from=${new Date(MARCH + 3 * DAY).toISOString()}&to=${new Date(NOW).toISOString()}`;
  const paths = [
    '/states?',
    '/waterings?',
    '/csv?',
    '/away?',
    '?points=50&',
    `?points=2000&${range}&`,
    `/waterings?${range}&`,
  ];
  return await Promise.all(paths.map((path) => answer(bound, `${path}group=${group}`)));
}
const shown = (bound: Installation) => Promise.all(GROUPS.map((group) => shownOf(bound, group)));

const right = Object.fromEntries(
  GROUPS.map((group) => [group, rightHome(group, [...homesIn(several).keys()])]).filter(
    ([, home]) => home !== 'PLANTS_DB',
  ),
);

describe('where a group belongs', () => {
  const names = fc.uniqueArray(fc.integer({ min: 2, max: 99 }), { maxLength: 12 });
  const homes = (ns: readonly number[]) => ['PLANTS_DB', ...ns.map((n) => `PLANTS_DB_${n}`)];

  test('ING-17 with one more database groups move to that one alone', () => {
    fc.assert(
      fc.property(names, fc.integer({ min: 2, max: 99 }), fc.string(), (ns, more, group) => {
        const before = rightHome(group, homes(ns));
        const after = rightHome(group, homes([...new Set([...ns, more])]));
        expect([before, `PLANTS_DB_${more}`]).toContain(after);
      }),
      propertyRuns(),
    );
  });

  test('ING-17 each database has about an equal share of a thousand groups', () => {
    for (const ns of [[2], [2, 3], [2, 3, 4, 5]]) {
      const all = homes(ns);
      const counts = new Map(all.map((home) => [home, 0]));
      for (let n = 0; n < 1000; n += 1) {
        const home = rightHome(`lab-${n}`, all);
        counts.set(home, (counts.get(home) ?? 0) + 1);
      }
      const share = 1000 / all.length;
      for (const count of counts.values()) expect(Math.abs(count - share)).toBeLessThan(share * 0.25);
    }
  });
});

describe('a move', () => {
  test('ING-17 groups go where they belong, and every screen shows the same as before', async () => {
    await tellHomes(alone, someRows());
    await rollUpHomes(alone, NOW);
    const before = await shown(alone);
    await rollUpHomes(several, NOW);
    expect(await moveAll(several, NOW)).toBe(Object.keys(right).length);
    expect(await directory(several)).toEqual(right);
    expect(new Set(Object.values(right)).size).toBe(2);
    expect(await shown(several)).toEqual(before);
    await rollUpHomes(several, NOW + 5 * MINUTE);
    expect(await shown(several)).toEqual(before);
  });

  test('ING-17 PLT-14 months that are in R2 stay where they are, and are read from the new home', async () => {
    await tellHomes(alone, someRows());
    await rollUpHomes(alone, NOW);
    const before = await shown(alone);
    await fileMonths(alone, NOW);
    const files = (await env.FILES.list()).objects.map(({ key, etag }) => [key, etag]);
    expect(files.length).toBeGreaterThan(0);
    await rollUpHomes(several, NOW);
    await moveAll(several, NOW);
    expect(await shown(several)).toEqual(before);
    for (const home of allHomes(several)) await deleteRemoved(home);
    await removeOrphanMonths(allHomes(several), anHourLater(env.FILES));
    expect((await env.FILES.list()).objects.map(({ key, etag }) => [key, etag])).toEqual(files);
    expect(await shown(several)).toEqual(before);
    await fileMonths(several, NOW);
    expect(await shown(several)).toEqual(before);
  });

  test('ING-17 what comes afterwards is stored in the new home, once, and rolled up as in one database', async () => {
    const all = someRows();
    const some = all.filter(({ measured_at: at }) => at < APRIL);
    const late = all.filter(({ measured_at: at }) => at < APRIL - 20 * DAY).slice(0, 40);
    await tellHomes(alone, some);
    await rollUpHomes(several, APRIL);
    await moveAll(several, APRIL);
    await tellHomes(several, all);
    await tellHomes(several, late);
    await rollUpHomes(several, NOW);
    const moved = await shown(several);
    const counted = await Promise.all(
      [env.PLANTS_DB, env.A_SECOND_HOME, env.A_THIRD_HOME].map((home) =>
        home
          .prepare('SELECT count(*) AS n FROM plant_readings JOIN plant_states USING (plant_id)')
          .first<number>('n'),
      ),
    );
    expect(counted.reduce((sum: number, n) => sum + (n ?? 0), 0)).toBe(all.length);
    expect(counted.every((n) => n !== 0)).toBe(true);

    await freshHomes();
    await tellHomes(alone, all);
    await rollUpHomes(alone, NOW);
    expect(moved).toEqual(await shown(alone));
  });

  test('ING-17 a run may end anywhere: the next goes on, and nothing is lost or there twice', async () => {
    await tellHomes(alone, someRows(NOW - 9 * DAY));
    await rollUpHomes(several, NOW);
    const before = await shown(alone);
    // Each query of the move in turn is the last that is answered.
    let failed = 0;
    for (let last = 1; ; last += fewOrMany(3, 1)) {
      const dying = dyingAfter(last);
      const outcome = await moveGroups(dying.bound, NOW).then(
        () => 'done',
        () => 'died',
      );
      expect(await shown(several)).toEqual(before);
      await env.PLANTS_DB.prepare('UPDATE plant_homes SET leased_until = 0').run();
      if (outcome === 'done' && !(await isUnderWay(several))) break;
      failed += 1;
    }
    expect(failed).toBeGreaterThan(10);
    expect(await moveAll(several, NOW)).toBe(0);
    expect(await directory(several)).toEqual(right);
    expect(await shown(several)).toEqual(before);
  });

  test('ING-17 FAULT-5 while a group is on its way nothing of it is changed, anywhere, and the others go on', async () => {
    await tellHomes(alone, someRows());
    await rollUpHomes(several, NOW);
    // Too little for one group: one page, and it waits.
    await moveGroups(several, NOW, 61);
    expect(await isUnderWay(several)).toBe(true);
    const { results } = await env.PLANTS_DB.prepare('SELECT plant_group FROM plant_groups_gone').all();
    const closed = results.map((found) => String(found['plant_group']));
    const [gone = ''] = closed;
    const other = GROUPS.find((group) => !closed.includes(group)) ?? '';
    const before = await shownOf(several, gone);
    const newer = (group: string) => idsOf(group).map((plant) => row(plant, NOW - DAY, { seq: 5 }));
    await expect(tellHomes(several, newer(gone))).rejects.toThrow(PlantsOnTheWay);
    await expect(tellHomes(several, [...newer(other), ...newer(gone)])).rejects.toThrow(PlantsOnTheWay);
    await tellHomes(several, newer(other));
    const [plant = ''] = idsOf(gone);
    const refused = [
      await callWith(several, `/plants/hidden?topic=${plant}`, 'PUT', { is_hidden: true }),
      await callWith(several, `/plants?topic=${plant}`, 'DELETE'),
      await callWith(several, `/plants/settings?topic=${plant}`, 'PUT', {
        dry: 900,
        wet: 100,
        alert_below: 10,
        alert_clear: 12,
        stale_after_minutes: 9,
      }),
    ];
    expect(refused.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
      refused.map(() => [503, '30']),
    );
    expect(await shownOf(several, gone)).toEqual(before);
    await moveAll(several, NOW);
    expect(await shownOf(several, gone)).toEqual(before);
    await tellHomes(several, newer(gone));
  });

  test('ING-17 a group that comes back waits until its old rows are deleted', async () => {
    await tellHomes(alone, someRows());
    await rollUpHomes(several, NOW);
    const before = await shown(alone);
    await moveAll(several, NOW);
    // As after somebody has bound fewer: what was in the others belongs to the first again.
    for (const group of Object.keys(right))
      await env.PLANTS_DB.prepare("UPDATE plant_homes SET moving_to = 'PLANTS_DB' WHERE plant_group = ?")
        .bind(group)
        .run();
    expect(await moveGroups(several, NOW)).toEqual({ groupsMoved: 0 });
    for (const home of allHomes(several)) await deleteRemoved(home);
    // They arrive, and leave again for where they belong once these rows are deleted too.
    expect(await moveGroups(several, NOW)).toEqual({ groupsMoved: Object.keys(right).length });
    expect(await directory(several)).toEqual(
      Object.fromEntries(Object.keys(right).map((g) => [g, 'PLANTS_DB'])),
    );
    expect(await shown(several)).toEqual(before);
  });
});

test('ING-17 a home that takes nothing gives the group back at once, and it is moved as it is then, later', async () => {
  await tellHomes(alone, someRows());
  await rollUpHomes(several, NOW);
  // Full after the first page of the first group.
  let writes = 0;
  const full = (d1: D1Database): D1Database =>
    new Proxy(d1, {
      get: (of, name) => {
        if (name !== 'batch') return Reflect.get(of, name).bind(of);
        return (statements: D1PreparedStatement[]) => {
          writes += 1;
          return writes > 3 ? Promise.reject(new Error('the database is full')) : of.batch(statements);
        };
      },
    });
  const filled = { ...several, PLANTS_DB_2: full(env.A_SECOND_HOME), PLANTS_DB_3: full(env.A_THIRD_HOME) };
  await expect(moveGroups(filled, NOW)).rejects.toThrow('the database is full');
  expect(await isUnderWay(several)).toBe(false);
  const group = Object.keys(await directory(several)).find((each) => right[each] !== 'PLANTS_DB') ?? '';
  const [plant = '', other = ''] = idsOf(group);
  // It goes on where it was: one plant is removed and comes again, the other has a late reading.
  expect((await callWith(several, `/plants?topic=${plant}`, 'DELETE')).status).toBe(200);
  await tellHomes(several, [row(plant, NOW - DAY), row(other, MARCH + 7, { seq: 9000, twin_seq: -9001 })]);
  // For a while it is left alone.
  await moveGroups(several, NOW);
  expect((await directory(several))[group]).toBe('PLANTS_DB');
  await rollUpHomes(several, NOW);
  const before = await shown(several);
  await env.PLANTS_DB.prepare('UPDATE plant_homes SET leased_until = 0').run();
  await moveAll(several, NOW);
  // The second run deletes what was not the same any more, the third copies it again.
  expect(await directory(several)).toEqual(right);
  expect(await shown(several)).toEqual(before);
});

test('ING-17 a run asks no more queries than it may, whatever it moves', async () => {
  const groups = Array.from({ length: 40 }, (_, n) => `small-lab-${n}`);
  await tellHomes(alone, [
    ...groups.map((group) => row(`${group}/fern`, NOW - DAY)),
    ...Array.from({ length: 9 }, (_, n) => row('reed-lab/fern', NOW - 2 * DAY + n)),
  ]);
  await rollUpHomes(several, NOW);
  for (let runs = 0; runs < 9; runs += 1) {
    const { bound, asked } = dyingAfter(Infinity);
    // oxlint-disable-next-line no-await-in-loop -- one run after another
    await moveGroups(bound, NOW);
    // 1,000 are what D1 takes; the watch and the rollups ask the rest.
    expect(asked()).toBeLessThan(800);
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (!(await isUnderWay(several)) && asked() < 100) break;
  }
  expect(Object.keys(await directory(several)).length).toBeGreaterThan(20);
});

describe('an installation with several homes', () => {
  beforeEach(async () => {
    await tellHomes(alone, someRows());
    await rollUpHomes(several, NOW);
    await moveAll(several, NOW);
  });

  const settings = { dry: null, wet: null, alert_below: 20, alert_clear: 25, stale_after_minutes: 60 };

  test('ING-17 PLT-5 lists without a group are of all homes', async () => {
    expect(JSON.parse(await answer(several, '/groups'))).toEqual(
      GROUPS.toSorted().map((group) => ({ group, thirsty: expect.any(Number) })),
    );
    const states: { topic: string }[] = JSON.parse(await answer(several, '/states'));
    expect(states.map(({ topic }) => topic).toSorted()).toEqual(PLANTS.toSorted());
    const records: { plant: string; datetime: string }[] = JSON.parse(await answer(several, '?points=100'));
    expect(new Set(records.map(({ plant }) => plant))).toEqual(new Set(PLANTS));
    expect(records.length).toBeLessThanOrEqual(100);
    expect(records.map(({ datetime }) => datetime)).toEqual(
      records.map(({ datetime }) => datetime).toSorted(),
    );
    const csv = await answer(several, '/csv');
    expect(csv.trim().split('\r\n')).toHaveLength(1 + someRows().length);
    expect(csv.split('datetime,plant')).toHaveLength(2);
  });

  test('ING-17 PLT-10 one plant is public in all of them: opening another closes it, and the log tells of both', async () => {
    const last = await env.DB.prepare('SELECT coalesce(max(id), 0) AS id FROM access_log').first<number>(
      'id',
    );
    for (const group of GROUPS) {
      const [plant = ''] = idsOf(group);
      const opened = await callWith(several, `/plants/settings?topic=${plant}`, 'PUT', {
        ...settings,
        is_public: true,
      });
      expect(opened.status).toBe(200);
      const states: { topic: string; is_public: boolean }[] = JSON.parse(await answer(several, '/states'));
      expect(states.flatMap(({ topic, is_public }) => (is_public ? [topic] : []))).toEqual([plant]);
      expect(JSON.parse(await answer(several, '/public'))).toMatchObject({ plant: 'fern' });
    }
    const { results } = await env.DB.prepare(
      `SELECT detail ->> '$.is_public' AS changed, count(*) AS n FROM access_log
       WHERE subject = 'plant' AND id > ? GROUP BY 1 ORDER BY 1`,
    )
      .bind(last)
      .all();
    expect(results).toEqual([
      { changed: '[0,1]', n: GROUPS.length },
      { changed: '[1,0]', n: GROUPS.length - 1 },
    ]);
  });

  test('ING-17 PLT-13 a plant is renamed, hidden and removed in its home, and its board begins a new one there', async () => {
    const group = Object.keys(right).find((each) => each !== '') ?? '';
    const [plant = ''] = idsOf(group);
    const renamed = await callWith(several, `/plants/settings?topic=${plant}`, 'PUT', {
      ...settings,
      name: '고사리',
    });
    expect(renamed.status).toBe(200);
    expect(
      (await callWith(several, `/plants/hidden?topic=${plant}`, 'PUT', { is_hidden: true })).status,
    ).toBe(200);
    expect(JSON.parse(await answer(several, `/away?group=${group}`))).toMatchObject({
      hidden: [{ plant: '고사리', topic: plant }],
      removed: [],
    });
    expect((await callWith(several, `/plants?topic=${plant}`, 'DELETE')).status).toBe(200);
    expect(JSON.parse(await answer(several, `/away?group=${group}`))).toMatchObject({
      hidden: [],
      removed: [{ plant: '고사리' }],
    });
    await tellHomes(several, [row(plant, NOW - MINUTE)]);
    const states: { topic: string; readings: number }[] = JSON.parse(
      await answer(several, `/states?group=${group}`),
    );
    expect(states.find(({ topic }) => topic === plant)).toMatchObject({ readings: 1 });
  });

  test('ING-17 with one of them away the groups of the others are shown, stored and settled', async () => {
    const away = { ...several, PLANTS_DB_2: brokenD1(env.A_SECOND_HOME) };
    for (const group of GROUPS) {
      const isAway = right[group] === 'PLANTS_DB_2';
      expect((await callWith(away, `/plants/states?group=${group}`)).status).toBe(isAway ? 500 : 200);
      const stored = tellHomes(away, [row(idsOf(group)[0] ?? '', NOW - MINUTE, { seq: 7 })]);
      const outcome = await stored.then(
        () => 'stored',
        () => 'refused',
      );
      expect(outcome).toBe(isAway ? 'refused' : 'stored');
    }
  });

  test('ING-17 plants that two homes come to know at once have different numbers', async () => {
    const groups = Array.from({ length: 20 }, (_, n) => `new-lab-${n}`);
    await env.PLANTS_DB.batch(
      groups.map((group) =>
        env.PLANTS_DB.prepare('INSERT INTO plant_homes (plant_group, home) VALUES (?, ?)').bind(
          group,
          rightHome(group, [...homesIn(several).keys()]),
        ),
      ),
    );
    await tellHomes(
      several,
      groups.flatMap((group) => idsOf(group).map((plant) => row(plant, NOW - MINUTE))),
    );
    const ids = await Promise.all(
      allHomes(several).map(
        async ({ $client }) =>
          (await $client.prepare('SELECT id FROM plants JOIN plant_states ON plant_id = id').all()).results,
      ),
    );
    const all = ids.flat().map(({ id }) => Number(id));
    expect(new Set(all).size).toBe(all.length);
    expect(all.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
  });
});

/** A database that answers nothing. */
const brokenD1 = (d1: D1Database) =>
  new Proxy(d1, {
    get: (of, name) => {
      if (name === 'batch') return () => Promise.reject(new Error('the database is away'));
      if (name !== 'prepare') return Reflect.get(of, name).bind(of);
      return () => of.prepare('SELECT * FROM a_table_that_is_away');
    },
  });

/** Several homes of which none answers after so many queries, as when the run is killed. */
function dyingAfter(last: number): { bound: typeof several; asked: () => number } {
  let asked = 0;
  /** Each statement of a batch counts. */
  let queries = 0;
  const plain = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const counted =
    <Arguments extends unknown[], Result>(ask: (...values: Arguments) => Promise<Result>) =>
    (...values: Arguments): Promise<Result> => {
      asked += 1;
      queries += 1;
      return asked > last ? Promise.reject(new Error('killed')) : ask(...values);
    };
  function wrapped(of: D1PreparedStatement): D1PreparedStatement {
    const replaced: Record<PropertyKey, unknown> = {
      bind: (...values: unknown[]) => wrapped(of.bind(...values)),
      all: counted(() => of.all()),
      run: counted(() => of.run()),
      raw: counted(() => of.raw()),
    };
    const proxy = new Proxy(of, { get: (target, name) => replaced[name] ?? Reflect.get(target, name) });
    plain.set(proxy, of);
    return proxy;
  }
  const dying = (d1: D1Database): D1Database => {
    const replaced: Record<PropertyKey, unknown> = {
      prepare: (query: string) => wrapped(d1.prepare(query)),
      batch: counted((statements: D1PreparedStatement[]) => {
        queries += statements.length - 1;
        return d1.batch(statements.map((each) => plain.get(each) ?? each));
      }),
    };
    return new Proxy(d1, { get: (of, name) => replaced[name] ?? Reflect.get(of, name) });
  };
  return {
    asked: () => queries,
    bound: {
      PLANTS_DB: dying(env.PLANTS_DB),
      PLANTS_DB_2: dying(env.A_SECOND_HOME),
      PLANTS_DB_3: dying(env.A_THIRD_HOME),
    },
  };
}
