import { FIRST_HOME } from '#contract/plant-homes';
import { MINUTE_MS } from '#contract/time';
import { FINEST, ROLLED_UP_AFTER_MS } from '#contract/rollups';
import { database, fixedStatement, type Database } from '#db/client';
import type { Bindings } from '#db/homes';
import { plantGroupsGone, plantHomes } from '#db/plants';
import { KEPT_SINCE, MARK } from '#db/rollups';
import { listGroups } from '#db/states';
import { eq, sql } from 'drizzle-orm';
import { arrive, leave, readBacklog, settle } from './arrival-data.ts';
import { copyRows, type Budget } from './copy-data.ts';
import { isStillDeleting, placesIn, planMoves, type Move, type Place } from './move-plan-data.ts';
import { RISES_MARK } from './rises-data.ts';

/*
 * Groups on their way to the database where they belong (docs/decisions/0050-several-databases-of-plants.md). Each step may be
 * killed and begun again.
 */

/** D1 takes 1,000 queries of one run of a worker, and the watch and the rollups are in the same one. */
const QUERIES = 700;
/** Queries that a group takes beside its pages. */
const GROUP_QUERIES = 60;
const PATIENCE_MS = 120_000;
/** Longer than a run lasts, and over when the next one begins: a group whose run died is closed for no longer. */
const LEASE_MS = 4 * MINUTE_MS;
/** When a group whose copy failed is tried again. */
const AGAIN_MS = 60 * MINUTE_MS;

type Options = {
  queries?: number | undefined;
  /** Homes where no group belongs, by the names of their bindings. */
  emptied?: readonly string[] | undefined;
};

/**
 * Moves groups that are not where they belong, as many as one run may.
 * @param now milliseconds since 1970
 * @returns how many have arrived, and how many are still to go; where homes are emptied, how many are in each of those or
 *   on their way to it, as a deployment counts them
 */
export async function moveGroups(
  env: Bindings,
  now: number,
  { queries = QUERIES, emptied = [] }: Options = {},
): Promise<{ groupsMoved: number; groupsLeft: number; emptying?: Record<string, number> }> {
  const places = placesIn(env);
  let groupsMoved = 0;
  if (places.length === 1) return { groupsMoved, groupsLeft: 0 };
  const budget = { queries, deadline: Date.now() + PATIENCE_MS };
  const directory = database(env.PLANTS_DB);
  await leaveAll(directory, places);
  const { moves } = await planMoves(directory, places, emptied);
  for (const move of moves) {
    if (budget.queries <= 0 || Date.now() > budget.deadline) break;
    budget.queries -= GROUP_QUERIES;
    // oxlint-disable-next-line no-await-in-loop -- one group is closed at a time
    if (await leased(directory, move, () => moveGroup(directory, move, now, budget))) groupsMoved += 1;
  }
  const counts = { groupsMoved, groupsLeft: moves.length - groupsMoved };
  return emptied.length === 0 ? counts : { ...counts, emptying: await countIn(directory, emptied) };
}

async function countIn(directory: Database, homes: readonly string[]): Promise<Record<string, number>> {
  const rows = await directory.select().from(plantHomes);
  const isIn = (home: string) => rows.filter((row) => row.home === home || row.moving_to === home).length;
  return Object.fromEntries(homes.map((home) => [home, isIn(home)]));
}

/** Does the work while no other run can move that group. @returns false when another one does, or has */
async function leased(
  directory: Database,
  { group, from, to }: Move,
  work: () => Promise<boolean>,
): Promise<boolean> {
  const now = Date.now();
  const lease = { moving_to: to.name, leased_until: now + LEASE_MS };
  const taken = await directory
    .insert(plantHomes)
    .values({ plant_group: group, home: from.name, ...lease })
    .onConflictDoUpdate({
      target: plantHomes.plant_group,
      set: lease,
      setWhere: sql`${plantHomes.home} = ${from.name} AND ${plantHomes.leased_until} < ${now}`,
    })
    .returning();
  if (taken.length === 0) return false;
  const hasArrived = await work();
  await directory.update(plantHomes).set({ leased_until: 0 }).where(eq(plantHomes.plant_group, group));
  return hasArrived;
}

/** @returns whether the group has arrived */
async function moveGroup(directory: Database, move: Move, now: number, budget: Budget): Promise<boolean> {
  if (await isStillDeleting(move)) return false;
  const { group, from, to } = move;
  const [ofOld, ofNew] = [await readMarks(from.db), await readMarks(to.db)];
  // Their task is behind, and goes on with the next run.
  if (Math.min(ofOld.mark, ofNew.mark) < boundAt(now)) return false;
  const closedAt = await close(from.db, group, now);
  const copying = async () => {
    const states = await settle(from.db, to.db, group);
    const numbers = states.map(({ plant_id: id }) => id).toSorted((a, b) => a - b);
    const backlog = await readBacklog(from.db, numbers, ofOld.rises);
    const copied = {
      plants: numbers,
      since: Math.max(ofOld.since, ofNew.since),
      bound: boundAt(closedAt),
    };
    const isWhole = await copyRows({ from: from.db, to: to.db }, copied, budget);
    return isWhole ? { ...copied, group, states, backlog } : undefined;
  };
  const arrival = await copying().catch(async (error: unknown) => {
    await giveUp(directory, from, group);
    throw error;
  });
  if (arrival === undefined) return false;
  await arrive(to.db, arrival);
  await directory
    .update(plantHomes)
    .set({ home: to.name, moving_to: null, leased_until: 0 })
    .where(eq(plantHomes.plant_group, group));
  await leave(from.db, group);
  return true;
}

/** Rollups of intervals that end by then are copied; those since are written anew from readings. */
const boundAt = (closedAt: number) => Math.floor((closedAt - ROLLED_UP_AFTER_MS) / FINEST) * FINEST;

/** A home that takes nothing, because it is full, must not keep a group closed: it is tried again later. */
async function giveUp(directory: Database, from: Place, group: string): Promise<void> {
  await from.db.delete(plantGroupsGone).where(eq(plantGroupsGone.plant_group, group));
  await directory
    .update(plantHomes)
    .set({ moving_to: null, leased_until: Date.now() + AGAIN_MS })
    .where(eq(plantHomes.plant_group, group));
}

/** From then on nothing of the group is changed there. @returns when that was first done */
async function close(from: Database, group: string, now: number): Promise<number> {
  const [, [gone]] = await from.batch([
    from.insert(plantGroupsGone).values({ plant_group: group, closed_at: now }).onConflictDoNothing(),
    from.select().from(plantGroupsGone).where(eq(plantGroupsGone.plant_group, group)),
  ]);
  return gone?.closed_at ?? now;
}

const selectMarks = fixedStatement<{ mark: number; rises: number; since: number }>(
  sql`SELECT ${MARK} AS mark, ${RISES_MARK} AS rises, ${KEPT_SINCE} AS since`,
);

async function readMarks(db: Database): Promise<{ mark: number; rises: number; since: number }> {
  const [marks] = await selectMarks(db, {});
  if (!marks) throw new Error('a SELECT without FROM has no row');
  return marks;
}

/** What a run that died had moved and not let go of. */
async function leaveAll(directory: Database, places: readonly Place[]): Promise<void> {
  const homes = new Map(
    (await directory.select().from(plantHomes)).map(({ plant_group: group, home }) => [group, home]),
  );
  await Promise.all(
    places.map(async ({ name, db }) => {
      const there = new Set((await listGroups(db)).map(({ group }) => group));
      for (const { plant_group: group } of await db.select().from(plantGroupsGone))
        // oxlint-disable-next-line no-await-in-loop -- hardly ever one
        if (there.has(group) && (homes.get(group) ?? FIRST_HOME) !== name) await leave(db, group);
    }),
  );
}
