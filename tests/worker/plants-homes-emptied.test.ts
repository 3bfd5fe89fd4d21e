import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { database } from '#db/client';
import { allHomes, homesIn, rightHome } from '#db/homes';
import { groupsIn, HELD_ALONE, lostWith, NAMED_HOMES } from '../../scripts/plant-homes.ts';
import { moveGroups } from '../../worker/src/plants/homes-data.ts';
import { deleteRemoved } from '../../worker/src/plants/life-data.ts';
import { carryLog } from '../../worker/src/plants/log-data.ts';
import { removeOrphanMonths } from '../../worker/src/plants/months-data.ts';
import { fewOrMany } from '../support/counts.ts';
import { asAdmin, callWith } from './client.ts';
import { anHourLater, DAY, MINUTE, NOW, row } from './plant-months.ts';
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
  PLANTS,
  right,
  rollUpHomes,
  several,
  shown,
  shownOf,
  someRows,
  tellHomes,
  type Installation,
} from './plants-homes.ts';
import { migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();
beforeEach(freshHomes);

const SECOND = 'PLANTS_DB_2';
const emptied = [SECOND];
const fewer = { ...alone, PLANTS_DB_3: env.A_THIRD_HOME };
const inSecond = GROUPS.filter((group) => right[group] === SECOND);
/** Where groups are that have once left, when the second home is not there. */
const rightWithout = Object.fromEntries(
  Object.keys(right).map((group) => [group, rightHome(group, [...homesIn(fewer).keys()])]),
);

/** Each plant is watered twice. */
const waterings = PLANTS.flatMap((plant) =>
  Array.from({ length: 60 }, (_, n) =>
    row(plant, NOW - 9 * DAY + n * 10 * MINUTE, {
      seq: 7000 + n,
      twin_seq: -7001 - n,
      soil_moisture: Math.floor(n / 12) % 2 === 0 ? 800 : 300,
    }),
  ),
);

/** The groups are where they belong among three, and nothing of before is left. */
async function dividedAmongThree(rows = someRows()): Promise<void> {
  await tellHomes(alone, rows);
  await rollUpHomes(several, NOW);
  await moveAll(several, NOW);
  await aNight();
}

async function aNight(): Promise<void> {
  for (const home of allHomes(several)) await deleteRemoved(home);
}

/** How many rows each plant has that is shown, wherever it is. */
async function counted(bound: Installation) {
  const of = (table: string) => `(SELECT count(*) FROM ${table} WHERE plant_id = id) AS ${table}`;
  const tables = ['plant_readings', 'plant_rollups', 'plant_rises', 'plant_months'].map(of);
  const found = await Promise.all(
    [...homesIn(bound).values()].map((home) =>
      home.prepare(`SELECT topic, ${tables.join()} FROM plants JOIN plant_states ON plant_id = id`).all(),
    ),
  );
  const rows = found.flatMap(({ results }) => results);
  return rows.toSorted((a, b) => String(a['topic']).localeCompare(String(b['topic'])));
}

const lost = async () => lostWith(SECOND, (await env.A_SECOND_HOME.prepare(HELD_ALONE).all()).results);

test('ING-17 PLT-14 a database is emptied, and without it every screen shows the same, of as many rows', async () => {
  expect(inSecond.length).toBeGreaterThan(1);
  await tellHomes(alone, [...someRows(), ...waterings]);
  await rollUpHomes(alone, NOW);
  await fileMonths(alone, NOW);
  await dividedAmongThree([]);
  await rollUpHomes(several, NOW);
  const files = (await env.FILES.list()).objects.map(({ key, etag }) => [key, etag]);
  const [before, rows] = [await shown(several), await counted(several)];
  for (const table of ['plant_readings', 'plant_rollups', 'plant_rises', 'plant_months'])
    expect(rows.some((each) => Number(each[table]) > 0)).toBe(true);

  const first = await moveGroups(several, NOW, { emptied, queries: 1 });
  expect(first).toEqual({
    groupsMoved: 0,
    groupsLeft: inSecond.length,
    emptying: { [SECOND]: inSecond.length },
  });
  expect(await moveAll(several, NOW, { emptied })).toBe(inSecond.length);
  expect(await directory(several)).toEqual(rightWithout);
  expect(await lost()).toBeUndefined();
  expect(await moveGroups(several, NOW, { emptied })).toEqual({
    groupsMoved: 0,
    groupsLeft: 0,
    emptying: { [SECOND]: 0 },
  });

  await rollUpHomes(fewer, NOW);
  expect(await shown(fewer)).toEqual(before);
  expect(await counted(fewer)).toEqual(rows);
  await removeOrphanMonths(allHomes(fewer), anHourLater(env.FILES));
  expect((await env.FILES.list()).objects.map(({ key, etag }) => [key, etag])).toEqual(files);
  expect(await shown(fewer)).toEqual(before);
  await tellHomes(
    fewer,
    inSecond.flatMap(idsOf).map((plant) => row(plant, NOW - DAY, { seq: 5 })),
  );
  expect(await moveGroups(fewer, NOW)).toEqual({ groupsMoved: 0, groupsLeft: 0 });
  expect(await directory(fewer)).toEqual(rightWithout);

  // And the last one, until PLANTS_DB is alone again.
  await rollUpHomes(fewer, NOW);
  const [last, lastRows] = [await shown(fewer), await counted(fewer)];
  await moveAll(fewer, NOW, { emptied: ['PLANTS_DB_3'] });
  await rollUpHomes(alone, NOW);
  expect(await shown(alone)).toEqual(last);
  expect(await counted(alone)).toEqual(lastRows);
  await tellHomes(alone, [row('fir-lab/fern', NOW - DAY)]);
  expect(await counted(alone)).toHaveLength(lastRows.length + 1);
});

test('ING-17 a database may be emptied by runs that end anywhere: nothing is lost or there twice', async () => {
  await dividedAmongThree(someRows(NOW - 9 * DAY));
  const before = await shown(several);
  // Each query of the move in turn is the last that is answered.
  let failed = 0;
  for (let last = 1; ; last += fewOrMany(5, 1)) {
    const dying = dyingAfter(last);
    const outcome = await moveGroups(dying.bound, NOW, { emptied }).then(
      () => 'done',
      () => 'died',
    );
    expect(await shown(several)).toEqual(before);
    await env.PLANTS_DB.prepare('UPDATE plant_homes SET leased_until = 0').run();
    if (outcome === 'done' && !(await isUnderWay(several))) break;
    failed += 1;
  }
  expect(failed).toBeGreaterThan(5);
  expect(await directory(several)).toEqual(rightWithout);
  expect(await lost()).toBeUndefined();
  expect(await shown(fewer)).toEqual(before);
});

test('ING-17 what was on its way to a database that is emptied arrives, and leaves it again', async () => {
  await tellHomes(alone, someRows(NOW - 9 * DAY));
  await rollUpHomes(several, NOW);
  const before = await shown(alone);
  // Too little for one group.
  const two = { ...alone, PLANTS_DB_2: env.A_SECOND_HOME };
  await moveGroups(two, NOW, { queries: 61 });
  expect(await isUnderWay(several)).toBe(true);
  const all = { emptied: ['PLANTS_DB_2', 'PLANTS_DB_3'] };
  await moveAll(several, NOW, all);
  expect(Object.values(await directory(several))).toEqual([SECOND]);
  expect(await shown(several)).toEqual(before);
  // It belongs where it came from, and what it has left there has to go first.
  await aNight();
  expect(await moveAll(several, NOW, all)).toBe(1);
  expect(Object.values(await directory(several))).toEqual(['PLANTS_DB']);
  expect(await shown(alone)).toEqual(before);
});

test('ING-17 the log of a run says of each emptied database what a deployment says of it', async () => {
  await tellHomes(alone, someRows(NOW - 9 * DAY));
  await rollUpHomes(several, NOW);
  const both = { emptied: ['PLANTS_DB_2', 'PLANTS_DB_3'] };
  // One is on its way to the second home, and others are in the third.
  const two = { ...alone, PLANTS_DB_2: env.A_SECOND_HOME };
  await moveGroups(two, NOW, { queries: 61 });
  await env.PLANTS_DB.prepare(
    "INSERT INTO plant_homes (plant_group, home) VALUES ('fir-lab', 'PLANTS_DB_3'), ('oak-lab', 'PLANTS_DB_3')",
  ).run();
  let emptying: Record<string, number> | undefined;
  const told = async () => {
    const { results } = await env.PLANTS_DB.prepare(NAMED_HOMES).all();
    return Object.fromEntries(both.emptied.map((home) => [home, groupsIn(results, home)]));
  };
  expect(await told()).toEqual({ PLANTS_DB_2: 1, PLANTS_DB_3: 2 });
  for (let runs = 0; runs < 4; runs += 1) {
    ({ emptying } = await moveGroups(several, NOW, both));
    expect(emptying).toEqual(await told());
    await aNight();
  }
  expect(emptying).toEqual({ PLANTS_DB_2: 0, PLANTS_DB_3: 0 });
  expect(await moveGroups(several, NOW)).not.toHaveProperty('emptying');
});

test('ING-17 a new group does not go to a database that is emptied', async () => {
  const names = Array.from({ length: 30 }, (_, n) => `new-lab-${n}`);
  const group = names.find((name) => rightHome(name, [...homesIn(several).keys()]) === SECOND) ?? '';
  await tellHomes(several, [row(`${group}/fern`, NOW - DAY)]);
  await rollUpHomes(several, NOW);
  const before = await shownOf(alone, group);
  await moveAll(several, NOW, { emptied });
  expect(Object.values(await directory(several))).not.toContain(SECOND);
  expect(await shownOf(fewer, group)).toEqual(before);
  // Until the database is one like the others again.
  await aNight();
  await rollUpHomes(several, NOW);
  await moveAll(several, NOW);
  expect(await directory(several)).toEqual({ [group]: SECOND });
  expect(await shownOf(several, group)).toEqual(before);
});

test('ING-17 SEC-43 a group whose plants were removed leaves too, and the log still has to be carried', async () => {
  await dividedAmongThree(someRows(NOW - 9 * DAY));
  const [group = ''] = inSecond;
  for (const plant of idsOf(group))
    expect((await callWith(several, `/plants?topic=${plant}`, 'DELETE')).status).toBe(200);
  // As when nobody has carried it yet.
  await env.A_SECOND_HOME.prepare(
    "INSERT INTO plant_log (at, address, action, subject, detail) VALUES (1, 'operator', 'change', 'plant', '{}')",
  ).run();
  const others = GROUPS.filter((each) => each !== group);
  const shownOfOthers = (bound: Installation) => Promise.all(others.map((each) => shownOf(bound, each)));
  const before = await shownOfOthers(several);
  await moveAll(several, NOW, { emptied });
  expect(await directory(several)).toEqual(rightWithout);
  expect(await lost()).toMatch(/^PLANTS_DB_2 still has lines for the access log \(1\) or/);
  expect(await carryLog(allHomes(several), database(env.DB))).toBe(1);
  expect(await lost()).toBeUndefined();
  await rollUpHomes(fewer, NOW);
  expect(await shownOfOthers(fewer)).toEqual(before);
  const [plant = ''] = idsOf(group);
  await tellHomes(fewer, [row(plant, NOW - DAY)]);
  expect(JSON.parse((await shownOf(fewer, group))[0] ?? '')).toMatchObject([{ topic: plant, readings: 1 }]);
});
