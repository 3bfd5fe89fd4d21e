import { FINEST } from '#contract/rollups';
import type { Database } from '#db/client';
import { plantReadings, plantRetention, plants } from '#db/plants';
import { readMark } from './rollups-data.ts';
import { and, eq, lt, sql } from 'drizzle-orm';

/** Rows per statement, and statements per run; the rest waits for the next day. */
const SLICE = 20_000;
const SLICES = 200;

/**
 * Removes raw readings taken before `limit` (milliseconds since 1970). Rollups stay: what is in none yet is not removed.
 * Older readings are no longer accepted.
 * @returns the number of removed readings
 */
export async function removeReadingsBefore(db: Database, limit: number): Promise<number> {
  const since = Math.min(Math.floor(limit / FINEST) * FINEST, await readMark(db));
  await db
    .insert(plantRetention)
    .values({ id: 1, since })
    .onConflictDoUpdate({
      target: plantRetention.id,
      set: { since: sql`max(${plantRetention.since}, ${since})` },
    });
  const { plant_id, measured_at, seq } = plantReadings;
  const old = db
    .select({ plant_id, measured_at, seq })
    .from(plants)
    .crossJoin(plantReadings)
    .where(and(eq(plant_id, plants.id), lt(measured_at, since)))
    .limit(SLICE);
  const slice = db.delete(plantReadings).where(sql`(${plant_id}, ${measured_at}, ${seq}) IN ${old}`);
  let removed = 0;
  for (let count = 0; count < SLICES; count++) {
    const { meta } = await slice.run();
    removed += meta.changes;
    if (meta.changes < SLICE) break;
  }
  return removed;
}
