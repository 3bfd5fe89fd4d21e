import { PlantsOnTheWay } from '#contract/errors';
import { EVERY_GROUP, groupOf, inGroup } from '#contract/plant-group';
import { FIRST_HOME, homeNumber } from '#contract/plant-homes';
import { inArray, sql } from 'drizzle-orm';
import { database, wasRejected, withMethods, type Database } from './client.ts';
import { plantGroupsGone, plantHomes } from './plants.ts';

/*
 * Where the plants of a group live: in PLANTS_DB, or in one of the databases that are bound beside it as PLANTS_DB_2 and so
 * on (docs/decisions/0050-several-databases-of-plants.md). PLANTS_DB has the directory.
 */

export type Bindings = { readonly PLANTS_DB: D1Database };

const isDatabase = (bound: unknown): bound is D1Database =>
  typeof bound === 'object' && bound !== null && 'prepare' in bound && 'batch' in bound;

/** The databases that may hold plants, by the names of their bindings; PLANTS_DB first. */
export function homesIn(env: Bindings): ReadonlyMap<string, D1Database> {
  const others = Object.entries(env).flatMap(([name, bound]: [string, unknown]) =>
    name !== FIRST_HOME && homeNumber(name) !== undefined && isDatabase(bound)
      ? [[name, bound] as const]
      : [],
  );
  return new Map([[FIRST_HOME, env.PLANTS_DB], ...others]);
}

/** FNV-1a with a last mixing, so that texts which differ in one letter lie far apart. @returns 32 bits */
function hash(text: string): number {
  let bits = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) bits = Math.imul(bits ^ byte, 0x01000193);
  for (const [shift, factor] of [
    [16, 0x85ebca6b],
    [13, 0xc2b2ae35],
  ] as const)
    bits = Math.imul(bits ^ (bits >>> shift), factor);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/**
 * Where a group belongs, by rendezvous hashing: the home whose hash with the group's name is the highest. With another home
 * only groups move that belong there.
 */
export function rightHome(group: string, homes: readonly string[]): string {
  const [best = FIRST_HOME] = homes.toSorted((a, b) => hash(`${b} ${group}`) - hash(`${a} ${group}`));
  return best;
}

type Homes = ReadonlyMap<string, D1Database>;

/** @throws Error when that home is not bound */
function boundAs(home: string, homes: Homes): D1Database {
  const d1 = homes.get(home);
  if (d1 === undefined)
    throw new Error(`plants are in ${home}, which is not bound: a D1 database, in wrangler.toml`);
  return d1;
}

const directory = (env: Bindings, groups: readonly string[]) =>
  database(env.PLANTS_DB)
    .select()
    .from(plantHomes)
    .where(inArray(plantHomes.plant_group, sql`(SELECT value FROM json_each(${JSON.stringify(groups)}))`));

/** PLANTS_DB and the others. */
export type AllHomes = readonly [Database, ...Database[]];

export function allHomes(env: Bindings): AllHomes {
  const [, ...others] = homesIn(env).values();
  return [database(env.PLANTS_DB), ...others.map(database)];
}

/** The databases of a group for whoever reads; without a group all of them. Where PLANTS_DB is the only one nothing is asked. */
export async function homesOf(env: Bindings, group?: string): Promise<readonly Database[]> {
  const homes = homesIn(env);
  if (homes.size === 1 || group === undefined || group === EVERY_GROUP) return allHomes(env);
  const [row] = await directory(env, [group]);
  return [database(boundAs(row?.home ?? FIRST_HOME, homes))];
}

/** All but one, by its name. */
export const homesBeside = (env: Bindings, home: string): Database[] =>
  [...homesIn(env)].flatMap(([name, d1]) => (name === home ? [] : [database(d1)]));

/** What each home of a group, or of every group, answers, in one list. */
export async function inHomes<T>(
  env: Bindings,
  group: string | undefined,
  ask: (home: Database) => Promise<readonly T[]>,
): Promise<T[]> {
  return (await Promise.all((await homesOf(env, group)).map(ask))).flat();
}

/** Fails in SQLite, and takes its transaction with it, once one of the groups has left the database. */
const STAY = `INSERT INTO plant_groups_gone (plant_group, closed_at)
  SELECT plant_group, closed_at FROM plant_groups_gone WHERE plant_group IN (SELECT value FROM json_each(?))`;

/** The database, each of whose batches finds out by itself whether the groups are still there. */
function whileThere(d1: D1Database, groups: readonly string[]): Database {
  const guard = d1.prepare(STAY).bind(JSON.stringify(groups));
  const batch = async <T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> => {
    try {
      return (await d1.batch<T>([guard, ...statements])).slice(1);
    } catch (error) {
      throw wasRejected(error, 'plant_groups_gone') ? new PlantsOnTheWay() : error;
    }
  };
  return database(withMethods(d1, { batch }));
}

/** Where plants are changed. Among several homes a new plant gets a number that no other home gives. */
export type Home = { name: string; db: Database; isOneOfSeveral: boolean };

/**
 * The homes of these groups for whoever changes something, by batches.
 * @returns the home of a plant, by its id; the same object for all that are in one
 * @throws PlantsOnTheWay by a batch, of a group that has left meanwhile
 */
export async function homesToChange(
  env: Bindings,
  groups: readonly string[],
): Promise<(plant: string) => Home> {
  const homes = homesIn(env);
  if (homes.size === 1) {
    const only = { name: FIRST_HOME, db: database(env.PLANTS_DB), isOneOfSeveral: false };
    return () => only;
  }
  const rows = await directory(env, groups);
  const nameOf = new Map(rows.map(({ plant_group, home }) => [plant_group, home]));
  const homeOf = (group: string) => nameOf.get(group) ?? FIRST_HOME;
  const opened = new Map(
    [...Map.groupBy(new Set(groups), homeOf)].map(([name, there]) => [
      name,
      { name, db: whileThere(boundAs(name, homes), there), isOneOfSeveral: true },
    ]),
  );
  return (plant) => {
    const home = opened.get(homeOf(groupOf(plant)));
    if (home === undefined) throw new Error('a plant of another group than was asked for');
    return home;
  };
}

/** The groups that have left a home, or are on their way out of it. */
export async function groupsGone(home: Database): Promise<ReadonlySet<string>> {
  return new Set((await home.select().from(plantGroupsGone)).map(({ plant_group: group }) => group));
}

/** The one home of a group, the same way. */
export async function homeToChange(env: Bindings, group: string): Promise<Home> {
  const homeOf = await homesToChange(env, [group]);
  return homeOf(inGroup(group, ''));
}
