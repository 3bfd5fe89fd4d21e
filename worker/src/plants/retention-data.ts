import type { Database } from '#db/client';
import { FINEST } from './pyramid.ts';

/** Rows that one statement removes, and statements of one run: what is left waits for the next day. */
const SLICE = 20_000;
const SLICES = 200;

/**
 * Removes raw readings that were taken before `limit` (milliseconds since 1970). Rollups stay, and no reading from
 * before is taken any more.
 * @returns how many were removed
 */
export async function removeReadingsBefore({ $client }: Database, limit: number): Promise<number> {
  const since = Math.floor(limit / FINEST) * FINEST;
  await $client
    .prepare(
      `INSERT INTO plant_retention (id, since) VALUES (1, ?1)
       ON CONFLICT (id) DO UPDATE SET since = max(since, excluded.since)`,
    )
    .bind(since)
    .run();
  const slice = $client
    .prepare(
      `DELETE FROM plant_readings WHERE (plant_id, measured_at, seq) IN (
         SELECT plant_id, measured_at, seq FROM plants CROSS JOIN plant_readings ON plant_id = id
         WHERE measured_at < ?1 LIMIT ${SLICE})`,
    )
    .bind(since);
  let removed = 0;
  for (let count = 0; count < SLICES; count++) {
    const { meta } = await slice.run();
    removed += meta.changes;
    if (meta.changes < SLICE) break;
  }
  return removed;
}
