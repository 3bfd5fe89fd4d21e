import type { GroupOnTheWay, HomesDetails } from '#contract/health';
import { homesIn, type Bindings } from '#db/homes';
import { database } from '#db/client';
import type { Log } from '#http/log';
import { known } from '../lib/known.ts';
import { isStillDeleting, placesIn, planMoves, type Move } from '../plants/move-plan-data.ts';
import { databaseSize } from './data.ts';

/** So many groups are told by name; of the others how many. */
const NAMED = 10;

/** How the databases of plants stand, where there are several; undefined, without a query, where there is one. */
export async function readHomes(
  env: Bindings,
  emptied: readonly string[],
  log: Log,
): Promise<HomesDetails | undefined> {
  if (homesIn(env).size === 1) return undefined;
  const places = placesIn(env);
  const now = Date.now();
  const planned = known(planMoves(database(env.PLANTS_DB), places, emptied), log);
  const sizes = await Promise.all(places.map(({ db }) => known(databaseSize(db), log)));
  const plan = await planned;
  const named =
    plan && (await known(Promise.all(plan.moves.slice(0, NAMED).map((move) => standing(move, now))), log));
  return {
    each: places.map(({ name }, at) => ({
      name,
      size: sizes[at] ?? null,
      groups: plan?.counts.get(name) ?? null,
    })),
    moves: plan && named && { count: plan.moves.length, named },
  };
}

async function standing(move: Move, now: number): Promise<GroupOnTheWay> {
  const { group, from, to, isUnderWay, leasedUntil } = move;
  const way = { group, from: from.name, to: to.name };
  if (leasedUntil >= now)
    return { ...way, state: isUnderWay ? 'moving' : 'failed', until: new Date(leasedUntil).toISOString() };
  if (await isStillDeleting(move)) return { ...way, state: 'deleting', until: null };
  return { ...way, state: isUnderWay ? 'begun' : 'waiting', until: null };
}
