import type { AlertKey } from '#contract/alerts';
import { statement, type Database } from '#db/client';
import { bridgeHeartbeats, bridgeKeys, plants, plantStates } from '#db/plants';
import { users } from '#db/users';
import { insertFrom } from '#db/sql';
import { alerts, backups, drills, databaseDays } from '#db/watch';
import { and, asc, desc, eq, getTableColumns, isNotNull, isNull, max, min, sql } from 'drizzle-orm';
import * as z from 'zod';
import { enqueueNotifications, type Notification, type OutboxUpdate } from '../receivers/outbox-data.ts';
import type { BridgeReport } from './bridge-rules.ts';
import type { AlertState, BackupRecord } from './rules.ts';
import { utcDay, type Usage } from './usage-rules.ts';

/**
 * Boards that have ever sent a reading, with their plants' assessments. Alerts are identified by topic, so
 * they continue after a change of the name; hidden plants are not watched.
 */
export async function listBoards(db: Database) {
  return await db
    .select({
      topic: plants.topic,
      plant: plants.name,
      heardAt: sql<number>`${plantStates.last_received_at}`,
      staleAfterMinutes: plantStates.stale_after_minutes,
      assessment: plantStates.assessment,
    })
    .from(plantStates)
    .innerJoin(plants, eq(plants.id, plantStates.plant_id))
    .where(and(isNotNull(plantStates.last_received_at), eq(plantStates.is_hidden, false)))
    .orderBy(asc(plants.name));
}

/** The number of plants; a removed plant has no state. */
export const countPlants = (db: Database): Promise<number> => db.$count(plantStates);

export type WatchedBridge = {
  bridge: string;
  /** The latest heartbeat; null if there was none. */
  word:
    | (BridgeReport & {
        broker_connected: boolean;
        version: string | null;
        boards_passed_over: number | null;
      })
    | null;
};

export async function listWatchedBridges(db: Database): Promise<WatchedBridge[]> {
  const rows = await db
    .select({ bridge: bridgeKeys.bridge_id, said: bridgeHeartbeats })
    .from(bridgeKeys)
    .leftJoin(bridgeHeartbeats, eq(bridgeHeartbeats.bridge_id, bridgeKeys.bridge_id))
    .where(isNull(bridgeKeys.revoked_at))
    .groupBy(bridgeKeys.bridge_id)
    .orderBy(asc(bridgeKeys.bridge_id));
  return rows.map(({ bridge, said }) => ({
    bridge,
    word: said && {
      ...said,
      broker_heard_at: said.broker_heard_at ?? said.reported_at,
      spool_known_at: said.spool_known_at ?? said.reported_at,
    },
  }));
}

export async function readBackupRecord(db: Database): Promise<BackupRecord> {
  const lastOk = db
    .select({ id: max(backups.id) })
    .from(backups)
    .where(eq(backups.ok, true));
  const [row] = await db
    .select({
      lastOkAt: sql<number | null>`max(${backups.at}) FILTER (WHERE ${backups.ok} = 1)`,
      failedAt: sql<number | null>`min(${backups.at}) FILTER (WHERE ${backups.id} > coalesce(${lastOk}, 0))`,
      keptSince: sql<number | null>`(${db.select({ at: min(users.created_at) }).from(users)})`,
    })
    .from(backups);
  return row ?? { lastOkAt: null, failedAt: null, keptSince: null };
}

/** The last restore drill, as a list that is empty before the first. */
export async function lastDrill(db: Database) {
  const { id, ...columns } = getTableColumns(drills);
  return await db.select(columns).from(drills).orderBy(desc(id)).limit(1);
}

export type StoredAlert = AlertKey & AlertState;

export async function listAlerts(db: Database): Promise<StoredAlert[]> {
  const { key: _, ...columns } = columnsOfAlerts;
  return await db.select(columns).from(alerts).orderBy(asc(alerts.since), asc(alerts.key));
}

const columnsOfAlerts = {
  key: alerts.key,
  kind: alerts.kind,
  name: alerts.name,
  detail: alerts.detail,
  since: alerts.since,
  wellSince: alerts.well_since,
  overAt: alerts.over_at,
  toldAt: alerts.told_at,
};

export const alertStorageKey = ({ kind, name }: AlertKey) => `${kind}:${name}`;

/**
 * Saves the alerts and puts alerts that began or ended into the outbox, in one transaction.
 * @returns the news to send now
 */
export async function saveAlerts(
  db: Database,
  kept: StoredAlert[],
  post: OutboxUpdate,
): Promise<Notification[]> {
  const rows = JSON.stringify(kept.map((alert) => ({ ...alert, key: alertStorageKey(alert) })));
  const sent = (name: string) => sql`value ->> ${sql.raw(`'${name}'`)}`;
  const values = {
    key: sent('key'),
    kind: sent('kind'),
    name: sent('name'),
    detail: sent('detail'),
    since: sent('since'),
    well_since: sent('wellSince'),
    over_at: sent('overAt'),
    told_at: sent('toldAt'),
  };
  const [, , , , , , , news] = await db.commit([
    db.delete(alerts),
    statement(db, insertFrom(alerts, values, sql`FROM json_each(${rows})`)),
    ...enqueueNotifications(db, post),
  ]);
  return news;
}

/** An empty object, in the same bucket as people's files: only its upload time matters. */
const STAMP = 'watch/told';

/** When the last message was sent that the database could not record; null if there was none. */
export async function lastNotifiedAt(files: R2Bucket): Promise<number | null> {
  return (await files.head(STAMP))?.uploaded.getTime() ?? null;
}

export async function recordNotified(files: R2Bucket): Promise<void> {
  await files.put(STAMP, '');
}

/** Called if the message was not delivered after all, or once the database works again. */
export async function clearNotified(files: R2Bucket): Promise<void> {
  await files.delete(STAMP).catch(() => undefined);
}

const DAYS_READ = 16;
const readingsSchema = z.tuple([z.object({ readings: z.int() })]);

/** D1 returns its size with every result. Values from PLANTS_DB are null if it does not answer. */
export async function readUsage(db: Database, plants: Database): Promise<Usage> {
  const [ofPlants, { meta }, days] = await Promise.all([
    readPlants(plants).catch(() => null),
    db.run(sql`SELECT 1`),
    db.select().from(databaseDays).orderBy(desc(databaseDays.day)).limit(DAYS_READ),
  ]);
  return {
    size: meta.size_after,
    plantsSize: ofPlants && ofPlants.size,
    readings: ofPlants && ofPlants.readings,
    days: days.map(({ day, size, plants_size, readings }) => ({
      day,
      size,
      plantsSize: plants_size,
      readings,
    })),
  };
}

async function readPlants(plants: Database): Promise<{ size: number; readings: number }> {
  const { results, meta } = await plants.run(
    sql`SELECT coalesce(sum(${plantStates.readings}), 0) AS readings FROM ${plantStates}`,
  );
  const [{ readings }] = readingsSchema.parse(results);
  return { size: meta.size_after, readings };
}

/** Records the values at the beginning of the day once, when both databases have answered. */
export async function recordUsageDay(
  db: Database,
  { size, plantsSize, readings, days }: Usage,
  now: number,
): Promise<void> {
  const day = utcDay(now);
  if (days[0]?.day === day || readings === null) return;
  await db.commit([
    db.insert(databaseDays).values({ day, size, plants_size: plantsSize, readings }).onConflictDoNothing(),
  ]);
}
