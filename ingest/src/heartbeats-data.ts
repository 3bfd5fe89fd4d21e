import { BRIDGE_TASK_TIMEOUT_MS, type OpenBridgeTask, type BridgeTaskResult } from '#contract/bridges';
import type { BoardOverQuota, MachineStatus, SpoolState } from '#contract/readings';
import { MINUTE_MS } from '#contract/time';
import { statementTemplate, type Database } from '#db/client';
import { bridgeHeartbeats, bridgeKeys, bridgeTasks, plants, plantStates } from '#db/plants';
import { and, eq, gt, isNull, sql, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { SENT_ROWS } from './arrivals-data.ts';
import { addPlants } from './readings-data.ts';

/* Stores what bridges report about themselves, their boards and their tasks. */

type HeartbeatRow = {
  bridgeId: string;
  brokerConnected: boolean;
  /** Instants are milliseconds since 1970. */
  reportedAt: number;
  signedAt: number;
  validUntil: number;
  version: string | null;
  machine: MachineStatus;
  /** Null while the bridge does not know its spool. */
  spool: { state: SpoolState; depth: number | null; oldestAt: number | null; dead: number | null } | null;
  overQuota: BoardOverQuota[] | null;
};

const excluded = (column: SQLiteColumn) => sql`excluded.${sql.identifier(column.name)}`;

/** Stores the heartbeat, unless a heartbeat that was signed later is already stored. */
export async function recordHeartbeat(db: Database, heartbeat: HeartbeatRow): Promise<void> {
  const { bridgeId, brokerConnected, reportedAt, signedAt, validUntil, version, spool, overQuota } =
    heartbeat;
  const {
    certificate_until: until,
    disk,
    dead_boards: deadBoards,
    boards_passed_over: passedOver,
    boards_reconnecting: reconnecting,
    tasks,
  } = heartbeat.machine;
  const there = bridgeHeartbeats;
  await db
    .insert(bridgeHeartbeats)
    .values({
      bridge_id: bridgeId,
      broker_connected: brokerConnected,
      reported_at: reportedAt,
      valid_until: validUntil,
      spool_depth: spool?.depth ?? null,
      spool_oldest_at: spool?.oldestAt ?? null,
      spool_dead: spool?.dead ?? null,
      signed_at: signedAt,
      broker_heard_at: reportedAt,
      spool_known_at: reportedAt,
      spool_state: spool?.state ?? null,
      over_quota: overQuota,
      over_quota_at: overQuota && reportedAt,
      version,
      certificate_until: until === undefined ? null : Date.parse(until),
      disk_free: disk?.free ?? null,
      disk_size: disk?.size ?? null,
      boards_passed_over: passedOver ?? null,
      boards_reconnecting: reconnecting ?? null,
      dead_at: spool?.dead ? reportedAt : null,
      dead_boards: deadBoards ?? null,
      tasks: tasks ?? null,
    })
    .onConflictDoUpdate({
      target: there.bridge_id,
      set: {
        broker_connected: excluded(there.broker_connected),
        reported_at: excluded(there.reported_at),
        valid_until: excluded(there.valid_until),
        spool_depth: excluded(there.spool_depth),
        spool_oldest_at: excluded(there.spool_oldest_at),
        // If the count is unknown, the old count stays: otherwise `dead_at` would miss dead letters that came
        // meanwhile.
        spool_dead: sql`coalesce(${excluded(there.spool_dead)}, ${there.spool_dead})`,
        signed_at: excluded(there.signed_at),
        broker_heard_at: sql`iif(${excluded(there.broker_connected)}, ${excluded(there.reported_at)},
          coalesce(${there.broker_heard_at}, ${there.reported_at}))`,
        spool_known_at: sql`iif(${excluded(there.spool_state)} IS NULL,
          coalesce(${there.spool_known_at}, ${there.reported_at}), ${excluded(there.reported_at)})`,
        spool_state: excluded(there.spool_state),
        over_quota: sql`coalesce(${excluded(there.over_quota)}, ${there.over_quota})`,
        over_quota_at: sql`coalesce(${excluded(there.over_quota_at)}, ${there.over_quota_at})`,
        version: excluded(there.version),
        certificate_until: excluded(there.certificate_until),
        disk_free: excluded(there.disk_free),
        disk_size: excluded(there.disk_size),
        boards_passed_over: excluded(there.boards_passed_over),
        boards_reconnecting: excluded(there.boards_reconnecting),
        dead_at: sql`iif(${excluded(there.spool_dead)} > coalesce(${there.spool_dead}, 0), ${excluded(there.reported_at)},
          ${there.dead_at})`,
        dead_boards: excluded(there.dead_boards),
        // The last heartbeat of a bridge that stops has no `tasks`.
        tasks: sql`coalesce(${excluded(there.tasks)}, iif(${excluded(there.version)} IS ${there.version}, ${there.tasks}, NULL))`,
      },
      setWhere: sql`${excluded(there.signed_at)} >= coalesce(${there.signed_at}, 0)
        AND ${excluded(there.reported_at)} >= ${there.reported_at}`,
    });
}

/**
 * If two bridges report the same board, the later report counts. A report without a change writes nothing. A
 * retained `offline` may be old: it is ignored if a reading came within `stale_after_minutes`.
 */
const markBoards = statementTemplate(sql`
  UPDATE ${plantStates} SET board_online = sent.value ->> 'online', board_at = sent.value ->> 'at'
  FROM ${SENT_ROWS} AS sent JOIN ${plants} ON ${plants.topic} = sent.value ->> 'plant'
  WHERE ${plantStates.plant_id} = ${plants.id}
    AND (${plantStates.board_at} IS NULL OR ${plantStates.board_at} < sent.value ->> 'at'
      OR (${plantStates.board_at} = sent.value ->> 'at' AND ${plantStates.board_online} IS NOT sent.value ->> 'online'))
    AND NOT (sent.value ->> 'online' IS 0 AND sent.value ->> 'retained' IS 1
      AND coalesce(${plantStates.last_received_at}, 0) + ${plantStates.stale_after_minutes} * ${sql.raw(String(MINUTE_MS))} > sent.value ->> 'at')`);

type BoardPresence = { plant: string; online: boolean | null; at: number; retained?: boolean | undefined };

/** @param key id of the key that reports these boards */
export async function recordBoardPresence(
  db: Database,
  boards: readonly BoardPresence[],
  key: number,
): Promise<void> {
  const heard = boards.filter(({ online }) => online !== null);
  await db.batch([addPlants(db, heard, key), markBoards(db, { sent: JSON.stringify(boards) })]);
}

/** A key's rights to tasks. `plants`: JSON of the topics that it may send for; null for all. */
type Signer = { bridgeId: string; plants: string | null };

/**
 * Whether the key may do a task. A task about a plant needs a key that may send for the plant. Another task
 * needs a key that may send for all plants; if the bridge has no such key, every key may do the task.
 */
function isFor({ bridgeId, plants: only }: Signer): SQL | undefined {
  if (only === null) return undefined;
  const { plants, bridge_id, revoked_at } = bridgeKeys;
  const plant = sql`json_extract(${bridgeTasks.task}, '$.plant')`;
  const stronger = sql`SELECT 1 FROM ${bridgeKeys} WHERE ${bridge_id} = ${bridgeId} AND ${plants} IS NULL AND ${revoked_at} IS NULL`;
  return sql`CASE WHEN ${plant} IS NULL THEN NOT EXISTS (${stronger}) ELSE ${plant} IN (SELECT value FROM json_each(${only})) END`;
}

/** Stores the result of a task; an existing result stays. */
export async function recordTaskResult(
  db: Database,
  signer: Signer,
  { id, ...result }: BridgeTaskResult & { id: number },
): Promise<void> {
  const { bridge_id, done_at } = bridgeTasks;
  await db
    .update(bridgeTasks)
    .set({ result, done_at: Date.now() })
    .where(and(eq(bridgeTasks.id, id), eq(bridge_id, signer.bridgeId), isNull(done_at), isFor(signer)));
}

/** The open tasks for a bridge's key, oldest first. A task is open until its result arrives. */
export async function takeOpenTasks(db: Database, signer: Signer): Promise<OpenBridgeTask[]> {
  const { id, bridge_id, task, created_at, taken_at, done_at } = bridgeTasks;
  const taken = await db
    .update(bridgeTasks)
    .set({ taken_at: sql`coalesce(${taken_at}, ${Date.now()})` })
    .where(
      and(
        eq(bridge_id, signer.bridgeId),
        isNull(done_at),
        gt(created_at, Date.now() - BRIDGE_TASK_TIMEOUT_MS),
        isFor(signer),
      ),
    )
    .returning({ id, task });
  return taken.toSorted((a, b) => a.id - b.id);
}
