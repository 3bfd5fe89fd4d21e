import { statementTemplate, type Database } from '#db/client';
import { plantLog } from '#db/plants';
import { accessLog } from '#db/access-log';
import { insertFrom } from '#db/sql';
import { asc, inArray, sql, type SQL } from 'drizzle-orm';
import { stackTrace } from '#http/log';
import type { Context } from 'hono';
import { logPerRow } from '../access-log/data.ts';
import type { Actor, UserEnv } from '../lib/app-env.ts';

/*
 * The access log is in DB and plants are in PLANTS_DB, and no transaction covers both. So the log line is
 * first stored in PLANTS_DB in the same transaction as the change, and moved to DB afterwards.
 */

/** Like `logPerRow`, but for a batch of PLANTS_DB. */
export const logPerPlantRow = (
  plants: Database,
  by: Actor,
  row: Parameters<typeof logPerRow>[2],
  from: SQL,
) => logPerRow(plants, by, row, from, plantLog);

/** Maximum number of lines moved at once. */
const LINES = 500;

const sent = (name: string) => sql`line.value ->> ${sql.raw(`'${name}'`)}`;
const line = {
  at: sent('at'),
  actor_id: sent('actor_id'),
  address: sent('address'),
  action: sent('action'),
  subject: sent('subject'),
  subject_id: sent('subject_id'),
  detail: sent('detail'),
  request_id: sent('request_id'),
};

/** Skips lines that an earlier, interrupted run copied. Lines of one request differ, so none is lost. */
const addLines = statementTemplate(
  insertFrom(
    accessLog,
    line,
    sql`FROM json_each(${sql.placeholder('lines')}) AS line WHERE NOT EXISTS (
      SELECT 1 FROM ${accessLog} WHERE ${accessLog.at} = ${line.at} AND ${accessLog.request_id} IS ${line.request_id}
        AND ${accessLog.subject} = ${line.subject} AND ${accessLog.detail} = ${line.detail})`,
  ),
);

/**
 * Moves the log lines about plants into the access log.
 * @returns the number of lines
 */
export async function movePlantLog(plants: Database, db: Database): Promise<number> {
  const lines = await plants.select().from(plantLog).orderBy(asc(plantLog.id)).limit(LINES);
  if (lines.length === 0) return 0;
  await db.commit([addLines(db, { lines: JSON.stringify(lines) })]);
  const carried = JSON.stringify(lines.map(({ id }) => id));
  await plants.commit([
    plants.delete(plantLog).where(inArray(plantLog.id, sql`(SELECT value FROM json_each(${carried}))`)),
  ]);
  return lines.length;
}

/** Change and log line are already stored: if the line cannot be moved now, the watch moves it later. */
export async function mergePlantLog({ var: { plants, db, log } }: Context<UserEnv>): Promise<void> {
  await movePlantLog(plants, db).catch((error: unknown) =>
    log('error', 'plant_log_waits', { error: stackTrace(error) }),
  );
}
