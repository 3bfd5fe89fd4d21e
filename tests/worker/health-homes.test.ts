import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { HealthDetails, HomesDetails } from '#contract/health';
import { asAdmin, callWith } from './client.ts';
import { DAY, NOW, row } from './plant-months.ts';
import {
  alone,
  dyingAfter,
  freshHomes,
  GROUPS,
  moveAll,
  right,
  rollUpHomes,
  several,
  tellHomes,
} from './plants-homes.ts';
import { migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();
beforeEach(async () => {
  await freshHomes();
  await tellHomes(
    alone,
    GROUPS.map((group) => row(group === '' ? 'fern' : `${group}/fern`, NOW - DAY)),
  );
  await rollUpHomes(several, NOW);
});

const details = async (bound: object): Promise<HealthDetails> =>
  await (await callWith(bound, '/health/details')).json();

async function homesTold(bound: object = several): Promise<HomesDetails> {
  const { homes } = await details(bound);
  if (!homes) throw new Error('nothing is told of the homes');
  return homes;
}

const groupsOf = ({ each }: HomesDetails) =>
  Object.fromEntries(each.map(({ name, groups }) => [name, groups]));
const countOf = (home: string) => Object.values(right).filter((each) => each === home).length;
const moving = Object.keys(right);
const toldOf = ({ moves }: HomesDetails, group: string) => moves?.named.find((each) => each.group === group);
const note = (group: string, home: string, to: string | null, until: number) =>
  env.PLANTS_DB.prepare('INSERT OR REPLACE INTO plant_homes VALUES (?, ?, ?, ?)')
    .bind(group, home, to, until)
    .run();

test('ING-17 OPS-4 with one database of plants nothing is told of others, and the directory is not asked', async () => {
  const asked: string[] = [];
  const heard = new Proxy(env.PLANTS_DB, {
    get: (of, name) => {
      if (name !== 'prepare') return Reflect.get(of, name).bind(of);
      return (query: string) => {
        asked.push(query);
        return of.prepare(query);
      };
    },
  });
  expect(await details({ PLANTS_DB: heard })).not.toHaveProperty('homes');
  expect(asked.length).toBeGreaterThan(3);
  expect(asked.filter((query) => query.includes('plant_homes'))).toEqual([]);
});

test('ING-17 OPS-4 each database of plants is told with its size and its groups, and who is still to move', async () => {
  const before = await homesTold();
  expect(before.each).toEqual(
    ['PLANTS_DB', 'PLANTS_DB_2', 'PLANTS_DB_3'].map((name, at) => ({
      name,
      size: expect.any(Number),
      groups: at === 0 ? GROUPS.length : 0,
    })),
  );
  expect(before.each.every(({ size }) => (size ?? 0) > 100_000)).toBe(true);
  expect(before.moves?.count).toBe(moving.length);
  for (const group of moving)
    expect(toldOf(before, group)).toEqual({
      group,
      from: 'PLANTS_DB',
      to: right[group],
      state: 'waiting',
      until: null,
    });
  await moveAll(several, NOW);
  const after = await homesTold();
  expect(groupsOf(after)).toEqual({
    PLANTS_DB: GROUPS.length - moving.length,
    PLANTS_DB_2: countOf('PLANTS_DB_2'),
    PLANTS_DB_3: countOf('PLANTS_DB_3'),
  });
  expect(after.moves).toEqual({ count: 0, named: [] });
});

test('ING-17 OPS-4 it is told what each group waits for', async () => {
  const [one = '', two = '', three = ''] = moving;
  const later = Date.now() + 60_000;
  const until = new Date(later).toISOString();
  await note(one, 'PLANTS_DB', right[one] ?? '', later);
  await note(two, 'PLANTS_DB', null, later);
  await note(three, 'PLANTS_DB', right[three] ?? '', 0);
  const told = await homesTold();
  expect(toldOf(told, one)).toMatchObject({ state: 'moving', until });
  expect(toldOf(told, two)).toMatchObject({ state: 'failed', until });
  expect(toldOf(told, three)).toMatchObject({ state: 'begun', until: null });
  // What a run has begun with stands first.
  expect(
    told.moves?.named
      .slice(0, 2)
      .map(({ group }) => group)
      .toSorted(),
  ).toEqual([one, three].toSorted());

  await env.PLANTS_DB.prepare('DELETE FROM plant_homes').run();
  await moveAll(several, NOW);
  // All of them go back to where they have just been.
  const emptied = await homesTold({ ...several, PLANTS_DB_EMPTIED: 'PLANTS_DB_2,PLANTS_DB_3' });
  expect(emptied.moves?.count).toBe(moving.length);
  for (const group of moving)
    expect(toldOf(emptied, group)).toMatchObject({ from: right[group], to: 'PLANTS_DB', state: 'deleting' });
});

test('ING-17 OPS-4 of two hundred groups ten are named, and all are counted', async () => {
  await tellHomes(
    alone,
    Array.from({ length: 200 }, (_, n) => row(`small-lab-${n}/fern`, NOW - DAY)),
  );
  const { moves } = await homesTold();
  expect(moves?.named).toHaveLength(10);
  expect(moves?.count).toBeGreaterThan(100);
});

test('ING-17 OPS-4 of a database of plants that does not answer nothing is known, and the others have their size', async () => {
  const { each, moves } = await homesTold({ ...several, PLANTS_DB_2: dyingAfter(0).bound.PLANTS_DB_2 });
  expect(each.map(({ size }) => size === null)).toEqual([false, true, false]);
  expect(each.map(({ groups }) => groups)).toEqual([null, null, null]);
  expect(moves).toBeNull();
});
