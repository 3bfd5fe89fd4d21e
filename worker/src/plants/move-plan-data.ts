import { FIRST_HOME } from '#contract/plant-homes';
import { database, type Database } from '#db/client';
import { homesIn, rightHome, type Bindings } from '#db/homes';
import { plantHomes, plantRemovals, plants } from '#db/plants';
import { listGroups } from '#db/states';
import { sql } from 'drizzle-orm';
import { ofGroup } from './arrival-data.ts';

/* Which groups are not where they belong (docs/decisions/0050-several-databases-of-plants.md). */

export type Place = { name: string; db: Database };
export type Move = {
  group: string;
  from: Place;
  to: Place;
  /** As the directory has it: whether a run has begun with it, and until when no other one touches it. */
  isUnderWay: boolean;
  leasedUntil: number;
};

export const placesIn = (env: Bindings): Place[] =>
  [...homesIn(env)].map(([name, d1]) => ({ name, db: database(d1) }));

/**
 * @returns how many groups are in each home, and the moves: what is on its way first, then what belongs elsewhere
 * @throws Error when a home that the directory names is not bound
 */
export async function planMoves(
  directory: Database,
  places: readonly Place[],
  emptied: readonly string[],
): Promise<{ counts: ReadonlyMap<string, number>; moves: Move[] }> {
  const named = new Map((await directory.select().from(plantHomes)).map((row) => [row.plant_group, row]));
  const placeOf = (name: string): Place => {
    const place = places.find((each) => each.name === name);
    if (!place) throw new Error(`plants are in ${name}, which is not bound: a D1 database, in wrangler.toml`);
    return place;
  };
  const open = places.map(({ name }) => name).filter((name) => !emptied.includes(name));
  const groups = await Promise.all(
    places.map(async (from) => {
      const known = (await listGroups(from.db)).map(({ group }) => group);
      // Those too of which no plant is left, or the directory would name their home for ever.
      return [...new Set([...known, ...named.keys()])]
        .filter((group) => (named.get(group)?.home ?? FIRST_HOME) === from.name)
        .map((group): Move => {
          const row = named.get(group);
          // What is on its way has perhaps arrived: it goes on to an emptied home, and leaves that afterwards.
          const to = placeOf(row?.moving_to ?? rightHome(group, open));
          const isUnderWay = typeof row?.moving_to === 'string';
          return { group, from, to, isUnderWay, leasedUntil: row?.leased_until ?? 0 };
        });
    }),
  );
  const moves = groups.flat().filter(({ from, to }) => from.name !== to.name);
  return {
    counts: new Map(places.map(({ name }, at) => [name, groups[at]?.length ?? 0])),
    moves: [...moves.filter((move) => move.isUnderWay), ...moves.filter((move) => !move.isUnderWay)],
  };
}

/** Whether the plants have been there before and are not wholly deleted since. */
export async function isStillDeleting({ from, to, group }: Move): Promise<boolean> {
  const ids = await from.db.select({ id: plants.id }).from(plants).where(ofGroup(group));
  const numbers = JSON.stringify(ids.map(({ id }) => id));
  return (
    (await to.db.$count(
      plantRemovals,
      sql`${plantRemovals.plant_id} IN (SELECT value FROM json_each(${numbers}))`,
    )) > 0
  );
}
