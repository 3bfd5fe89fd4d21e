import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { allHomes, homesIn, rightHome } from '#db/homes';
import { migrateDatabase } from './support.ts';
import { asAdmin, callWith } from './client.ts';
import { MINUTE, NOW, row } from './plant-months.ts';
import {
  alone,
  answer,
  freshHomes,
  GROUPS,
  idsOf,
  moveAll,
  PLANTS,
  right,
  rollUpHomes,
  several,
  someRows,
  tellHomes,
} from './plants-homes.ts';

beforeAll(migrateDatabase);
asAdmin();

beforeEach(async () => {
  await freshHomes();
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
  expect(records.map(({ datetime }) => datetime)).toEqual(records.map(({ datetime }) => datetime).toSorted());
  const csv = await answer(several, '/csv');
  expect(csv.trim().split('\r\n')).toHaveLength(1 + someRows().length);
  expect(csv.split('datetime,plant')).toHaveLength(2);
});

test('ING-17 PLT-10 one plant is public in all of them: opening another closes it, and the log tells of both', async () => {
  const last = await env.DB.prepare('SELECT coalesce(max(id), 0) AS id FROM access_log').first<number>('id');
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
  expect((await callWith(several, `/plants/hidden?topic=${plant}`, 'PUT', { is_hidden: true })).status).toBe(
    200,
  );
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

test('ING-17 PLT-13 only what somebody removed is told as removed, once, and not what a move left behind', async () => {
  const left = await env.PLANTS_DB.prepare('SELECT count(*) AS n FROM plant_removals').first('n');
  expect(left).toBeGreaterThan(1);
  const groups = ['', ...GROUPS.map((group) => `?group=${group}`)];
  for (const asked of groups)
    expect(JSON.parse(await answer(several, `/away${asked}`))).toEqual({ hidden: [], removed: [] });
  const topics = GROUPS.map((group) => idsOf(group)[0] ?? '');
  for (const topic of topics)
    expect((await callWith(several, `/plants?topic=${topic}`, 'DELETE')).status).toBe(200);
  const { removed }: { removed: { plant: string }[] } = JSON.parse(await answer(several, '/away'));
  expect(removed.map(({ plant }) => plant).toSorted()).toEqual(topics.toSorted());
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

/** A database that answers nothing. */
const brokenD1 = (d1: D1Database) =>
  new Proxy(d1, {
    get: (of, name) => {
      if (name === 'batch') return () => Promise.reject(new Error('the database is away'));
      if (name !== 'prepare') return Reflect.get(of, name).bind(of);
      return () => of.prepare('SELECT * FROM a_table_that_is_away');
    },
  });
