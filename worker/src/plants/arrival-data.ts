import { ROLLUP_WIDTHS } from '#contract/rollups';
import { statement, type Database } from '#db/client';
import { isOfGroup } from '#db/groups';
import {
  plantGroupsGone,
  plantMonths,
  plantRemovals,
  plantRetention,
  plantRiseBacklog,
  plants,
  plantStates,
} from '#db/plants';
import { MARK, rollUp } from '#db/rollups';
import { insertFrom } from '#db/sql';
import { eq, getTableColumns, inArray, sql, type SQL } from 'drizzle-orm';
import { FREED, removing } from './life-data.ts';

/* How a group's plants come into a home, and leave one. */

export const ofGroup = (group: string): SQL => isOfGroup(plants.topic, group);

type State = typeof plantStates.$inferSelect;

/**
 * Makes the plants known in their new home, without a state, with which they would be in lists and tasks there.
 * @returns their states
 */
export async function settle(from: Database, to: Database, group: string): Promise<State[]> {
  const found = await from
    .select()
    .from(plants)
    .innerJoin(plantStates, eq(plantStates.plant_id, plants.id))
    .where(ofGroup(group));
  const rows = JSON.stringify(found.map(({ plants: row }) => row));
  const row = { id: sql`value ->> 'id'`, name: sql`value ->> 'name'`, topic: sql`value ->> 'topic'` };
  // Of a try that was given up, and removed in the old home since: their names may be those of others now.
  const isLeft = sql`FROM ${plants} LEFT JOIN ${plantStates} ON ${plantStates.plant_id} = ${plants.id}
    WHERE ${ofGroup(group)} AND ${plantStates.plant_id} IS NULL
      AND ${plants.id} NOT IN (SELECT value ->> 'id' FROM json_each(${rows}))`;
  await to.batch([
    ...removed(to, isLeft),
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
export async function readBacklog(
  from: Database,
  numbers: readonly number[],
  mark: number,
): Promise<Backlog[]> {
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
export async function arrive(to: Database, { group, states, since, bound, backlog }: Arrival): Promise<void> {
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

/** As somebody removes plants, but at once without the files of months, which are those of the home that names them still. */
function removed(db: Database, which: SQL) {
  const isRemoved = db.select({ id: plantRemovals.plant_id }).from(plantRemovals);
  return [
    ...removing(db, which, FREED),
    db.delete(plantMonths).where(inArray(plantMonths.plant_id, isRemoved)),
  ] as const;
}

/** The plants go from the home that they have left. */
export async function leave(from: Database, group: string): Promise<void> {
  await from.batch(
    removed(
      from,
      sql`FROM ${plantStates} JOIN ${plants} ON ${plants.id} = ${plantStates.plant_id} WHERE ${ofGroup(group)}`,
    ),
  );
}
