import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { allHomes, homesIn, rightHome } from '#db/homes';
import type { Row } from '../../ingest/src/readings-data.ts';
import { storeInHomes, type HomeOutcome } from '../../ingest/src/store-in-homes.ts';
import { moveGroups } from '../../worker/src/plants/homes-data.ts';
import { keepRises } from '../../worker/src/plants/keep-rises-data.ts';
import { moveOldReadings } from '../../worker/src/plants/move-data.ts';
import { writeRollups } from '../../worker/src/plants/rollups-data.ts';
import { callWith } from './client.ts';
import { DAY, MARCH, MINUTE, NOW, row } from './plant-months.ts';
import { migrated } from './support.ts';

/** Bindings of an installation with one home of plants, and with three. */
export const alone = { PLANTS_DB: env.PLANTS_DB };
export const several = { ...alone, PLANTS_DB_2: env.A_SECOND_HOME, PLANTS_DB_3: env.A_THIRD_HOME };
export type Installation = typeof alone;

export async function freshHomes(): Promise<void> {
  await env.FILES.delete((await env.FILES.list()).objects.map(({ key }) => key));
  for (const home of [env.PLANTS_DB, env.A_SECOND_HOME, env.A_THIRD_HOME])
    await migrated(home, env.PLANTS_MIGRATIONS);
}

/** @returns what became of each row */
export async function tellHomes(bound: Installation, rows: readonly Row[]): Promise<HomeOutcome[]> {
  const outcomes: HomeOutcome[] = [];
  for (let at = 0; at < rows.length; at += 5000)
    outcomes.push(...(await storeInHomes(bound, rows.slice(at, at + 5000), () => undefined)));
  return outcomes;
}

/** The five-minutes task of all homes, but for the move. */
export async function rollUpHomes(bound: Installation, now: number): Promise<void> {
  await Promise.all(
    allHomes(bound).map(async (home) => {
      await writeRollups(home, now);
      await keepRises(home);
    }),
  );
}

export async function fileMonths(bound: Installation, now: number): Promise<void> {
  for (const db of allHomes(bound))
    // oxlint-disable-next-line no-await-in-loop -- as the nightly task may
    await moveOldReadings({ db, files: env.FILES }, { now, months: 1 });
}

/** Runs of the move until nothing is on its way. */
export async function moveAll(
  bound: Installation,
  now: number,
  options?: Parameters<typeof moveGroups>[2],
): Promise<number> {
  let moved = 0;
  for (let runs = 0; runs < 200; runs += 1) {
    moved += (await moveGroups(bound, now, options)).groupsMoved;
    if (!(await isUnderWay(bound))) return moved;
  }
  throw new Error('the move never ends');
}

export async function isUnderWay(bound: Installation): Promise<boolean> {
  const left = await bound.PLANTS_DB.prepare(
    'SELECT count(*) AS n FROM plant_homes WHERE moving_to IS NOT NULL',
  ).first('n');
  return left !== 0;
}

/** Where each group is that has been moved once. */
export async function directory(bound: Installation): Promise<Record<string, unknown>> {
  const { results } = await bound.PLANTS_DB.prepare(
    'SELECT plant_group, home FROM plant_homes ORDER BY 1',
  ).all();
  return Object.fromEntries(results.map((row) => [row['plant_group'], row['home']]));
}

export async function answer(bound: object, path: string): Promise<string> {
  const got = await callWith(bound, `/plants${path}`);
  expect(`${path} ${got.status}`).toBe(`${path} 200`);
  return await got.text();
}

export const GROUPS = ['', 'moss-lab', 'reed-lab', 'ivy-lab', 'fern-lab'];
export const idsOf = (group: string) =>
  ['fern', '바질'].map((name) => (group === '' ? name : `${group}/${name}`));
export const PLANTS = GROUPS.flatMap(idsOf);

/** Two months of soil that dries and is watered, of two plants in each of five groups. */
export function someRows(from = MARCH, until = NOW - 2 * DAY): Row[] {
  return PLANTS.flatMap((plant, p) => {
    const rows: Row[] = [];
    for (let at = from + p * MINUTE, n = 0; at < until; at += (2 + (p % 3)) * 60 * MINUTE, n += 1)
      rows.push(row(plant, at, { seq: n, twin_seq: -n - 1, soil_moisture: 300 + ((n * (7 + p)) % 500) }));
    return rows;
  });
}

/** Everything that a screen shows of a group, whatever database it comes from. */
export async function shownOf(bound: Installation, group: string): Promise<string[]> {
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
export const shown = (bound: Installation) => Promise.all(GROUPS.map((group) => shownOf(bound, group)));

export const right = Object.fromEntries(
  GROUPS.map((group) => [group, rightHome(group, [...homesIn(several).keys()])]).filter(
    ([, home]) => home !== 'PLANTS_DB',
  ),
);

/** Several homes of which none answers after so many queries, as when the run is killed. */
export function dyingAfter(last: number): { bound: typeof several; asked: () => number } {
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
