import { MINUTE_MS } from '#contract/time';
import { FINEST, ROLLED_UP_AFTER_MS, ROLLUP_WIDTHS } from '#contract/rollups';
import { database, fixedStatement, statement, type Database } from '#db/client';
import { isOfGroup } from '#db/groups';
import { FIRST_HOME, homesIn, rightHome, type Bindings } from '#db/homes';
import {
  plantGroupsGone,
  plantHomes,
  plantMonths,
  plantRemovals,
  plantRetention,
  plantRiseBacklog,
  plants,
  plantStates,
} from '#db/plants';
import { KEPT_SINCE, MARK, rollUp } from '#db/rollups';
import { insertFrom } from '#db/sql';
import { listGroups } from '#db/states';
import { eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import { copyRows, type Budget } from './copy-data.ts';
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
/** Longer than a run goes on after its last look at the clock. */
const LEASE_MS = 10 * MINUTE_MS;

type Place = { name: string; db: Database };
type Move = { group: string; from: Place; to: Place };

/**
 * Moves groups that are not where they belong, as many as one run may.
 * @param now milliseconds since 1970
 * @returns how many have arrived
 */
export async function moveGroups(
  env: Bindings,
  now: number,
  queries = QUERIES,
): Promise<{ groupsMoved: number }> {
  const places = [...homesIn(env)].map(([name, d1]): Place => ({ name, db: database(d1) }));
  let groupsMoved = 0;
  if (places.length === 1) return { groupsMoved };
  const budget = { queries, deadline: Date.now() + PATIENCE_MS };
  const directory = database(env.PLANTS_DB);
  await leaveAll(directory, places);
  for (const move of await nextMoves(directory, places)) {
    if (budget.queries <= 0 || Date.now() > budget.deadline) break;
    budget.queries -= GROUP_QUERIES;
    // oxlint-disable-next-line no-await-in-loop -- one group is closed at a time
    if (await leased(directory, move, () => moveGroup(directory, move, now, budget))) groupsMoved += 1;
  }
  return { groupsMoved };
}

/** What is on its way first, then what belongs elsewhere. @throws Error when a home that the directory names is not bound */
async function nextMoves(directory: Database, places: readonly Place[]): Promise<Move[]> {
  const named = new Map((await directory.select().from(plantHomes)).map((row) => [row.plant_group, row]));
  const placeOf = (name: string): Place => {
    const place = places.find((each) => each.name === name);
    if (!place) throw new Error(`plants are in ${name}, which is not bound: a D1 database, in wrangler.toml`);
    return place;
  };
  const groups = await Promise.all(
    places.map(async (from) =>
      (await listGroups(from.db))
        .filter(({ group }) => (named.get(group)?.home ?? FIRST_HOME) === from.name)
        .map(({ group }): Move => {
          const isMovingTo = named.get(group)?.moving_to;
          const to =
            isMovingTo ??
            rightHome(
              group,
              places.map(({ name }) => name),
            );
          return { group, from, to: placeOf(to) };
        }),
    ),
  );
  const isUnderWay = ({ group }: Move) => (named.get(group)?.moving_to ?? null) !== null;
  const moves = groups.flat().filter(({ from, to }) => from.name !== to.name);
  return [...moves.filter(isUnderWay), ...moves.filter((move) => !isUnderWay(move))];
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
async function moveGroup(
  directory: Database,
  { group, from, to }: Move,
  now: number,
  budget: Budget,
): Promise<boolean> {
  if (await isStillDeleting(from.db, to.db, group)) return false;
  const closedAt = await close(from.db, group, now);
  const bound = Math.floor((closedAt - ROLLED_UP_AFTER_MS) / FINEST) * FINEST;
  const [ofOld, ofNew] = [await readMarks(from.db), await readMarks(to.db)];
  // Their task is behind, and goes on with the next run.
  if (Math.min(ofOld.mark, ofNew.mark) < bound) return false;
  const states = await settle(from.db, to.db, group);
  const numbers = states.map(({ plant_id: id }) => id).toSorted((a, b) => a - b);
  const since = Math.max(ofOld.since, ofNew.since);
  const backlog = await readBacklog(from.db, numbers, ofOld.rises);
  if (!(await copyRows({ from: from.db, to: to.db }, { plants: numbers, since, bound }, budget)))
    return false;
  await open(to.db, { group, states, since, bound, backlog });
  await directory
    .update(plantHomes)
    .set({ home: to.name, moving_to: null, leased_until: 0 })
    .where(eq(plantHomes.plant_group, group));
  await leave(from.db, group);
  return true;
}

const ofGroup = (group: string) => isOfGroup(plants.topic, group);

/** Whether the plants have been here before and are not wholly deleted since. */
async function isStillDeleting(from: Database, to: Database, group: string): Promise<boolean> {
  const ids = await from.select({ id: plants.id }).from(plants).where(ofGroup(group));
  const numbers = JSON.stringify(ids.map(({ id }) => id));
  return (
    (await to.$count(
      plantRemovals,
      sql`${plantRemovals.plant_id} IN (SELECT value FROM json_each(${numbers}))`,
    )) > 0
  );
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

type State = typeof plantStates.$inferSelect;

/**
 * Makes the plants known in their new home, without a state, with which they would be in lists and tasks there.
 * @returns their states
 */
async function settle(from: Database, to: Database, group: string): Promise<State[]> {
  const found = await from
    .select()
    .from(plants)
    .innerJoin(plantStates, eq(plantStates.plant_id, plants.id))
    .where(ofGroup(group));
  const rows = JSON.stringify(found.map(({ plants: row }) => row));
  const row = { id: sql`value ->> 'id'`, name: sql`value ->> 'name'`, topic: sql`value ->> 'topic'` };
  await to.batch([
    statement(
      to,
      insertFrom(plants, row, sql`FROM json_each(${rows}) WHERE true ON CONFLICT (id) DO NOTHING`),
    ),
    to
      .delete(plantStates)
      .where(sql`${plantStates.plant_id} IN (SELECT value ->> 'id' FROM json_each(${rows}))`),
  ]);
  return found.map(({ plant_states: state }) => state);
}

type Backlog = { plant_id: number; since: number };

/** Until when the rises of each plant are known there. */
async function readBacklog(from: Database, numbers: readonly number[], mark: number): Promise<Backlog[]> {
  const rows = await from
    .select()
    .from(plantRiseBacklog)
    .where(sql`${plantRiseBacklog.plant_id} IN (SELECT value FROM json_each(${JSON.stringify(numbers)}))`);
  const sinceOf = new Map(rows.map(({ plant_id: plant, since }) => [plant, since]));
  return numbers.map((plant_id) => ({ plant_id, since: Math.min(mark, sinceOf.get(plant_id) ?? mark) }));
}

type Arrival = {
  group: string;
  states: readonly State[];
  since: number;
  bound: number;
  backlog: readonly Backlog[];
};

const stateColumns = Object.keys(getTableColumns(plantStates));
const isOpenThere = sql`EXISTS (SELECT 1 FROM ${plantStates} WHERE ${plantStates.is_public})`;

/** In one transaction the plants are in their new home, wholly. */
async function open(to: Database, { group, states, since, bound, backlog }: Arrival): Promise<void> {
  const given = (rows: readonly object[]) => sql`json_each(${JSON.stringify(rows)})`;
  const field = (name: string) => sql`value ->> ${sql.raw(`'${name}'`)}`;
  const arrived = sql.join(
    stateColumns.map((name) =>
      name === 'is_public' ? sql`${field(name)} AND NOT ${isOpenThere}` : field(name),
    ),
    sql`, `,
  );
  const names = sql.join(
    stateColumns.map((name) => sql.identifier(name)),
    sql`, `,
  );
  const rollups = ROLLUP_WIDTHS.map((width) => {
    const first = Math.floor(bound / width) * width;
    const until = sql`${MARK} / ${sql.raw(String(width))} * ${sql.raw(String(width))}`;
    const stretches = sql`SELECT ${field('plant_id')} AS plant_id, ${first} AS first, ${until} AS last
      FROM ${given(backlog)}`;
    return statement(to, rollUp(width, stretches));
  });
  await to.batch([
    statement(
      to,
      sql`INSERT INTO ${plantStates} (${names}) SELECT ${arrived} FROM ${given(states)} WHERE true ON CONFLICT DO NOTHING`,
    ),
    to
      .insert(plantRetention)
      .values({ id: 1, since })
      .onConflictDoUpdate({
        target: plantRetention.id,
        set: { since: sql`max(${plantRetention.since}, ${since})` },
      }),
    ...rollups,
    statement(
      to,
      sql`${insertFrom(
        plantRiseBacklog,
        { plant_id: field('plant_id'), since: field('since'), changes: sql`1` },
        sql`FROM ${given(backlog)} WHERE true`,
      )} ON CONFLICT DO UPDATE SET since = min(${plantRiseBacklog.since}, excluded.since), changes = ${plantRiseBacklog.changes} + 1`,
    ),
    to.delete(plantGroupsGone).where(eq(plantGroupsGone.plant_group, group)),
  ]);
}

/** What a run that died had moved and not let go of. */
async function leaveAll(directory: Database, places: readonly Place[]): Promise<void> {
  const homes = new Map(
    (await directory.select().from(plantHomes)).map(({ plant_group: group, home }) => [group, home]),
  );
  await Promise.all(
    places.map(async ({ name, db }) => {
      for (const { plant_group: group } of await db.select().from(plantGroupsGone))
        // oxlint-disable-next-line no-await-in-loop -- hardly ever one
        if ((homes.get(group) ?? FIRST_HOME) !== name) await leave(db, group);
    }),
  );
}

/**
 * The plants go from the old home as removed ones do, by night and without a name of theirs. The rows of their months go at once: the
 * files are those of the new home.
 */
async function leave(from: Database, group: string): Promise<void> {
  const isThere = sql`FROM ${plantStates} JOIN ${plants} ON ${plants.id} = ${plantStates.plant_id} WHERE ${ofGroup(group)}`;
  const free = sql`'/' || ${plants.id}`;
  const removal = {
    plant_id: plants.id,
    name: free,
    removed_at: sql`${Date.now()}`,
    readings_left: plantStates.readings,
  };
  const removed = from.select({ id: plantRemovals.plant_id }).from(plantRemovals);
  await from.batch([
    statement(from, insertFrom(plantRemovals, removal, isThere)),
    from.delete(plantMonths).where(inArray(plantMonths.plant_id, removed)),
    from.update(plants).set({ name: free, topic: free }).where(inArray(plants.id, removed)),
    from.delete(plantStates).where(inArray(plantStates.plant_id, removed)),
  ]);
}
