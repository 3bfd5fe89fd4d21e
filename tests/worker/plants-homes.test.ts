import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allHomes, rightHome } from '#db/homes';
import type { HomeOutcome } from '../../ingest/src/store-in-homes.ts';
import { deleteRemoved } from '../../worker/src/plants/life-data.ts';
import { removeOrphanMonths } from '../../worker/src/plants/months-data.ts';
import { moveGroups } from '../../worker/src/plants/homes-data.ts';
import { migrateDatabase } from './support.ts';
import { fewOrMany, propertyRuns } from '../support/counts.ts';
import { asAdmin, callWith } from './client.ts';
import { anHourLater, APRIL, DAY, MARCH, MINUTE, NOW, row } from './plant-months.ts';
import {
  alone,
  directory,
  dyingAfter,
  fileMonths,
  freshHomes,
  GROUPS,
  idsOf,
  isUnderWay,
  moveAll,
  right,
  rollUpHomes,
  several,
  shown,
  shownOf,
  someRows,
  tellHomes,
} from './plants-homes.ts';

beforeAll(migrateDatabase);
asAdmin();
beforeEach(freshHomes);

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
    await moveGroups(several, NOW, { queries: 61 });
    expect(await isUnderWay(several)).toBe(true);
    const { results } = await env.PLANTS_DB.prepare('SELECT plant_group FROM plant_groups_gone').all();
    const closed = results.map((found) => String(found['plant_group']));
    const [gone = ''] = closed;
    const other = GROUPS.find((group) => !closed.includes(group)) ?? '';
    const before = await shownOf(several, gone);
    const newer = (group: string) => idsOf(group).map((plant) => row(plant, NOW - DAY, { seq: 5 }));
    const all = (group: string, outcome: HomeOutcome) => newer(group).map(() => outcome);
    expect(await tellHomes(several, newer(gone))).toEqual(all(gone, 'on the way'));
    expect(await tellHomes(several, [...newer(other), ...newer(gone)])).toEqual([
      ...all(other, 'stored'),
      ...all(gone, 'on the way'),
    ]);
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
      refused.map(() => [503, '1']),
    );
    expect(await shownOf(several, gone)).toEqual(before);
    await moveAll(several, NOW);
    expect(await shownOf(several, gone)).toEqual(before);
    expect(await tellHomes(several, newer(gone))).toEqual(all(gone, 'stored'));
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
    expect(await moveGroups(several, NOW)).toMatchObject({ groupsMoved: 0 });
    for (const home of allHomes(several)) await deleteRemoved(home);
    // They arrive, and leave again for where they belong once these rows are deleted too.
    expect(await moveGroups(several, NOW)).toMatchObject({ groupsMoved: Object.keys(right).length });
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
  // However many have left, a run that has nothing to do asks hardly anything.
  const idle = dyingAfter(Infinity);
  await moveGroups(idle.bound, NOW);
  expect(idle.asked()).toBeLessThan(20);
});
