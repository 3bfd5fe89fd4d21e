import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { allHomes } from '#db/homes';
import { storeInHomes, type Row } from '../../ingest/src/data.ts';
import { moveGroups } from '../../worker/src/plants/homes-data.ts';
import { keepRises } from '../../worker/src/plants/keep-rises-data.ts';
import { moveOldReadings } from '../../worker/src/plants/move-data.ts';
import { writeRollups } from '../../worker/src/plants/rollups-data.ts';
import { callWith } from './client.ts';
import { emptyDatabase } from './support.ts';

/** Bindings of an installation with one home of plants, and with three. */
export const alone = { PLANTS_DB: env.PLANTS_DB };
export const several = { ...alone, PLANTS_DB_2: env.A_SECOND_HOME, PLANTS_DB_3: env.A_THIRD_HOME };
export type Installation = typeof alone;

export async function freshHomes(): Promise<void> {
  await env.FILES.delete((await env.FILES.list()).objects.map(({ key }) => key));
  for (const home of [env.PLANTS_DB, env.A_SECOND_HOME, env.A_THIRD_HOME]) {
    await emptyDatabase(home);
    await applyD1Migrations(home, env.PLANTS_MIGRATIONS);
  }
}

export async function tellHomes(bound: Installation, rows: readonly Row[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 5000) await storeInHomes(bound, rows.slice(at, at + 5000));
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

/** Runs of the move until nothing is left to do; `queries` is how many each may ask. */
export async function moveAll(bound: Installation, now: number, queries?: number): Promise<number> {
  let moved = 0;
  for (let runs = 0; runs < 200; runs += 1) {
    moved += (await moveGroups(bound, now, queries)).groupsMoved;
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
