import {
  BRIDGE_TASK_RETENTION_MS,
  BRIDGE_TASK_TIMEOUT_MS,
  type RequestedBridgeTask,
  type BridgeTask,
  type ListedBridge,
  type BridgeTaskWithResult,
} from '#contract/bridges';
import { insertBridgeKey, matchingBridgeKeys, revokeBridgeKeys } from '#db/bridge-keys';
import { statement, type Database } from '#db/client';
import { bridgeHeartbeats, bridgeKeys, bridgeTasks } from '#db/plants';
import { insertFrom, toInt, jsonObject } from '#db/sql';
import { and, asc, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import * as z from 'zod';
import type { LogAction } from '#contract/access-log';
import type { Actor } from '../lib/app-env.ts';
import { logPerPlantRow } from '../plants/log-data.ts';

const iso = (instant: number) => new Date(instant).toISOString();
const isoOrNull = (instant: number | null) => (instant === null ? null : iso(instant));
const plantsSchema = z.array(z.string());

/** Bridges that have, or had, a key; bridges with a valid key come first. */
export async function listBridges(db: Database, now: number): Promise<ListedBridge[]> {
  const [keys, words, tasks] = await db.batch([
    db
      .select({
        id: bridgeKeys.id,
        bridge: bridgeKeys.bridge_id,
        plants: bridgeKeys.plants,
        created_at: bridgeKeys.created_at,
        revoked_at: bridgeKeys.revoked_at,
      })
      .from(bridgeKeys)
      .orderBy(asc(bridgeKeys.bridge_id), desc(bridgeKeys.id)),
    db
      .select({
        bridge: bridgeHeartbeats.bridge_id,
        valid_until: bridgeHeartbeats.valid_until,
        tasks: bridgeHeartbeats.tasks,
      })
      .from(bridgeHeartbeats),
    db.select().from(bridgeTasks).orderBy(desc(bridgeTasks.id)),
  ]);
  const bridges = [...Map.groupBy(keys, ({ bridge }) => bridge)].map(([bridge, own]): ListedBridge => {
    const word = words.find((each) => each.bridge === bridge);
    return {
      bridge,
      alive: word !== undefined && word.valid_until > now,
      does: word?.tasks ?? null,
      keys: own.map(({ id, plants, created_at, revoked_at }) => ({
        id,
        plants: plants === null ? null : plantsSchema.parse(JSON.parse(plants)),
        created_at: iso(created_at),
        revoked_at: isoOrNull(revoked_at),
      })),
      tasks: tasks.filter(({ bridge_id }) => bridge_id === bridge).map(asked),
    };
  });
  const isEnded = ({ keys }: ListedBridge) => keys.every(({ revoked_at }) => revoked_at !== null);
  return bridges.toSorted((a, b) => Number(isEnded(a)) - Number(isEnded(b)));
}

/** Adds a key. @returns its number */
export async function addBridgeKey(
  db: Database,
  by: Actor,
  { bridge, plants }: { bridge: string; plants: string[] | null },
  key: string,
): Promise<number> {
  const detail = JSON.stringify({ bridge, key: 'new' });
  const added = sql`${insertBridgeKey(bridge, plants, key, Date.now())} RETURNING id`;
  const [, [row]] = await db.commit([
    logPerPlantRow(db, by, { action: 'create', subject: 'bridge', detail }, sql``),
    statement<{ id: number }>(db, added),
  ]);
  if (!row) throw new Error('the key was not stored');
  return row.id;
}

/** Revokes a key; the bridge's next request fails. @returns whether the key exists */
export async function revokeBridgeKey(db: Database, by: Actor, id: number): Promise<boolean> {
  const row = {
    action: 'delete',
    subject: 'bridge',
    detail: jsonObject({ bridge: bridgeKeys.bridge_id, key: bridgeKeys.id }),
  } as const;
  const found = sql`FROM ${bridgeKeys} WHERE ${matchingBridgeKeys({ id })}`;
  const [, , rows] = await db.commit([
    logPerPlantRow(db, by, row, sql`${found} AND ${bridgeKeys.revoked_at} IS NULL`),
    statement(db, revokeBridgeKeys({ id }, Date.now())),
    db.select({ id: bridgeKeys.id }).from(bridgeKeys).where(eq(bridgeKeys.id, id)),
  ]);
  return rows.length > 0;
}

const actions: Record<BridgeTask['kind'], LogAction> = {
  board_add: 'create',
  board_revoke: 'delete',
  dead_letters: 'read',
  replay: 'change',
  repair: 'change',
  backup: 'export',
};

/** Adds a task for a bridge. @returns the task's number */
export async function addBridgeTask(
  db: Database,
  by: Actor,
  bridge: string,
  task: BridgeTask,
): Promise<number> {
  const now = Date.now();
  const detail = JSON.stringify({ bridge, task: task.kind, ...('plant' in task && { plant: task.plant }) });
  const row = { bridge_id: bridge, task: JSON.stringify(task), created_at: toInt(now) };
  const [, , [added]] = await db.commit([
    logPerPlantRow(db, by, { action: actions[task.kind], subject: 'bridge', detail }, sql``),
    db.delete(bridgeTasks).where(lt(bridgeTasks.created_at, now - BRIDGE_TASK_RETENTION_MS)),
    statement<{ id: number }>(db, insertFrom(bridgeTasks, row, sql`RETURNING id`)),
  ]);
  if (!added) throw new Error('the task was not stored');
  return added.id;
}

/** Why the bridge cannot do the task; undefined if it can. */
export async function bridgeTaskRefusal(
  db: Database,
  bridge: string,
  task: BridgeTask,
): Promise<'unknown' | 'older' | 'unable' | 'foreign' | 'busy' | undefined> {
  const [keys, [word], [open]] = await db.batch([
    db
      .select({ plants: bridgeKeys.plants })
      .from(bridgeKeys)
      .where(and(eq(bridgeKeys.bridge_id, bridge), isNull(bridgeKeys.revoked_at))),
    db
      .select({ tasks: bridgeHeartbeats.tasks })
      .from(bridgeHeartbeats)
      .where(eq(bridgeHeartbeats.bridge_id, bridge)),
    db
      .select({ count: sql<number>`count(*)`.as('count') })
      .from(bridgeTasks)
      .where(
        sql`${bridgeTasks.bridge_id} = ${bridge} AND done_at IS NULL AND created_at > ${Date.now() - BRIDGE_TASK_TIMEOUT_MS}`,
      ),
  ]);
  if (keys.length === 0) return 'unknown';
  if (!word?.tasks) return 'older';
  if (!word.tasks.includes(task.kind)) return 'unable';
  if ((open?.count ?? 0) >= OPEN_MAX) return 'busy';
  const maySpeakFor = (plant: string) =>
    keys.some(({ plants }) => plants === null || plantsSchema.parse(JSON.parse(plants)).includes(plant));
  return 'plant' in task && !maySpeakFor(task.plant) ? 'foreign' : undefined;
}
const OPEN_MAX = 10;

export async function findBridgeTask(db: Database, id: number): Promise<BridgeTaskWithResult | undefined> {
  const [row] = await db.select().from(bridgeTasks).where(eq(bridgeTasks.id, id));
  return row && { ...asked(row), result: row.result };
}

function asked({
  id,
  task,
  created_at,
  taken_at,
  done_at,
  result,
}: typeof bridgeTasks.$inferSelect): RequestedBridgeTask {
  return {
    id,
    kind: task.kind,
    plant: 'plant' in task ? task.plant : null,
    created_at: iso(created_at),
    taken_at: isoOrNull(taken_at),
    done_at: isoOrNull(done_at),
    ok: result?.ok ?? null,
  };
}
