import type { Database } from '#db/client';
import { bridgeKeys, plants, plantStates } from '#db/plants';
import type { ListedPlant } from '#contract/readings';
import { and, desc, eq, isNull, sql } from 'drizzle-orm';

/** A signing key of a bridge. `plants` is a JSON array of topics, or null for every plant. */
export type BridgeKey = Pick<typeof bridgeKeys.$inferSelect, 'id' | 'key' | 'plants'>;

/** The bridge's unrevoked keys, newest first; empty for an unknown bridge. */
export async function listActiveBridgeKeys(db: Database, bridgeId: string): Promise<BridgeKey[]> {
  return await db
    .select({ id: bridgeKeys.id, key: bridgeKeys.key, plants: bridgeKeys.plants })
    .from(bridgeKeys)
    .where(and(eq(bridgeKeys.bridge_id, bridgeId), isNull(bridgeKeys.revoked_at)))
    .orderBy(desc(bridgeKeys.id));
}

/** Minutes until a board counts as silent: its limit, or the multiple of it that its assessment needs. */
const silentAfter = sql<number>`${plantStates.stale_after_minutes} * max(1, coalesce(
  CAST(ceil(${plantStates.assessment} ->> 'silent_after_ms' / (60000.0 * ${plantStates.stale_after_minutes})) AS INTEGER), 1))`;

/** Every plant that is neither removed nor hidden, in the order of their creation. */
export async function listPlants(db: Database): Promise<ListedPlant[]> {
  return await db
    .select({
      plant: plants.topic,
      name: plants.name,
      dry: plantStates.dry,
      wet: plantStates.wet,
      stale_after_minutes: silentAfter,
    })
    .from(plants)
    .innerJoin(plantStates, eq(plantStates.plant_id, plants.id))
    .where(eq(plantStates.is_hidden, false))
    .orderBy(plants.id);
}
