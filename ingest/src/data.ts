import type { Database } from '#db/client';
import { isOfGroup } from '#db/groups';
import { bridgeKeys, plants, plantsMove, plantStates } from '#db/plants';
import type { ListedPlant } from '#contract/readings';
import { and, desc, eq, isNull } from 'drizzle-orm';

/** A signing key of a bridge. `plants` is a JSON array of topics, or null for every plant of the group. */
export type BridgeKey = Pick<typeof bridgeKeys.$inferSelect, 'key' | 'plant_group' | 'plants'>;

/** The bridge's unrevoked keys, newest first; empty for an unknown bridge. */
export async function activeKeys(db: Database, bridgeId: string): Promise<BridgeKey[]> {
  return await db
    .select({ key: bridgeKeys.key, plant_group: bridgeKeys.plant_group, plants: bridgeKeys.plants })
    .from(bridgeKeys)
    .where(and(eq(bridgeKeys.bridge_id, bridgeId), isNull(bridgeKeys.revoked_at)))
    .orderBy(desc(bridgeKeys.id));
}

/** Whether the plants are still on their way here out of the database that held everything once. */
export async function isMoving(db: Database): Promise<boolean> {
  return (await db.$count(plantsMove, isNull(plantsMove.moved_at))) > 0;
}

/** Every plant of a group that is neither removed nor hidden, in the order in which they came. */
export async function listPlants(db: Database, group: string): Promise<ListedPlant[]> {
  return await db
    .select({
      plant: plants.topic,
      name: plants.name,
      dry: plantStates.dry,
      wet: plantStates.wet,
      stale_after_minutes: plantStates.stale_after_minutes,
    })
    .from(plants)
    .innerJoin(plantStates, eq(plantStates.plant_id, plants.id))
    .where(and(eq(plantStates.is_hidden, false), isOfGroup(plants.topic, group)))
    .orderBy(plants.id);
}
