import { fixedStatement, type Database } from '#db/client';
import { plantLog } from '#db/plants';
import { accessLog } from '#db/schema';
import { insertFrom } from '#db/sql';
import { asc, inArray, sql, type SQL } from 'drizzle-orm';
import { logEach } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';

/*
 * The access log is in DB and a plant's change in PLANTS_DB, and no transaction covers both. So the line is written beside
 * the change, where neither exists without the other, and carried over afterwards.
 */

/** As `logEach`, for a batch of PLANTS_DB. */
export const logEachInPlants = (plants: Database, by: Actor, row: Parameters<typeof logEach>[2], from: SQL) =>
  logEach(plants, by, row, from, plantLog);

/** Lines at a time. */
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

/** What was carried by a run that died before it could delete it is not carried twice: lines of one request differ. */
const addLines = fixedStatement(
  insertFrom(
    accessLog,
    line,
    sql`FROM json_each(${sql.placeholder('lines')}) AS line WHERE NOT EXISTS (
      SELECT 1 FROM ${accessLog} WHERE ${accessLog.at} = ${line.at} AND ${accessLog.request_id} IS ${line.request_id}
        AND ${accessLog.subject} = ${line.subject} AND ${accessLog.detail} = ${line.detail})`,
  ),
);

/**
 * Carries lines about plants into the access log.
 * @returns how many
 */
export async function moveLog(plants: Database, db: Database): Promise<number> {
  const lines = await plants.select().from(plantLog).orderBy(asc(plantLog.id)).limit(LINES);
  if (lines.length === 0) return 0;
  await db.commit([addLines(db, { lines: JSON.stringify(lines) })]);
  const carried = JSON.stringify(lines.map(({ id }) => id));
  await plants.commit([
    plants.delete(plantLog).where(inArray(plantLog.id, sql`(SELECT value FROM json_each(${carried}))`)),
  ]);
  return lines.length;
}
