import type { AwaitingCounts } from '#contract/awaiting';
import type { Database } from '#db/client';
import { bridgeHeartbeats, bridgeKeys, plantStates } from '#db/plants';
import { users } from '#db/schema';
import { alerts } from '#db/watch';
import { and, count, eq, exists, isNotNull, isNull, ne, sum } from 'drizzle-orm';
import { countDue } from '../access-log/reviews-data.ts';

/**
 * Counts for the menu, which asks every few minutes: of users only those who wait, by an index of their own; of troubles
 * one row each.
 * @param ofPlants null when their database does not answer
 */
export async function countAwaiting(
  db: Database,
  now: number,
  ofPlants: PlantCounts | null,
): Promise<AwaitingCounts> {
  const [due, [[numbers], [failed]]] = await Promise.all([
    countDue(db, now),
    db.batch([
      db
        .select({ count: count() })
        .from(users)
        .where(and(isNotNull(users.univ_id), isNull(users.univ_id_verified_at))),
      // Dry plants are counted already.
      db
        .select({ count: count() })
        .from(alerts)
        .where(and(isNull(alerts.over_at), ne(alerts.kind, 'dry'))),
    ]),
  ]);
  return {
    users: { unconfirmed_numbers: numbers?.count ?? 0, due_reviews: due },
    plants: { dry_plants: ofPlants && ofPlants.dry },
    health: { failed_parts: failed?.count ?? 0, dead_letters: ofPlants && ofPlants.dead },
  };
}

type PlantCounts = { dry: number; dead: number };

/** The same of the plants: of them and of bridges one row each. */
export async function countPlantsAwaiting(plants: Database): Promise<PlantCounts> {
  const [[dead], dry] = await Promise.all([
    plants
      .select({ count: sum(bridgeHeartbeats.spool_dead).mapWith(Number) })
      .from(bridgeHeartbeats)
      .where(exists(standingKey(plants))),
    plants.$count(plantStates, and(isNotNull(plantStates.alert_since), eq(plantStates.is_hidden, false))),
  ]);
  return { dry, dead: dead?.count ?? 0 };
}

/** A bridge that is put away for good has no key that stands; what it kept is nobody's work any more. */
const standingKey = (db: Database) =>
  db
    .select({ id: bridgeKeys.id })
    .from(bridgeKeys)
    .where(and(eq(bridgeKeys.bridge_id, bridgeHeartbeats.bridge_id), isNull(bridgeKeys.revoked_at)));
