import { FINEST_ROLLUP } from '#db/rollups';
import type { D1Database } from '@cloudflare/workers-types';
import { database } from '#db/client';
import { storeReadings } from '../../ingest/src/readings-data.ts';

/** A reading. `receivedAt` is by default `at`; `refused` is a refused board time. */
export type Told = readonly [
  plant: string,
  at: number,
  raw: number,
  receivedAt?: number,
  refused?: number | null,
];

const BATCH = 5000;

/** Stores readings as the ingest worker does. */
export async function tellReadings(d1: D1Database, readings: readonly Told[]): Promise<void> {
  const rows = readings.map(
    ([plant, measured_at, soil_moisture, received_at = measured_at, refused = null]) => ({
      plant,
      measured_at,
      seq: 0,
      counterpart_seq: -1,
      soil_moisture,
      received_at,
      refused_time: refused,
    }),
  );
  for (let from = 0; from < rows.length; from += BATCH)
    await storeReadings(database(d1), rows.slice(from, from + BATCH), null);
}

/** Deletes all rollups, and sets the time from which the next run writes them. */
export async function setMark(d1: D1Database, until: number): Promise<void> {
  await d1.batch([
    d1.prepare('DELETE FROM plant_rollups'),
    d1
      .prepare('INSERT OR REPLACE INTO plant_rollup_watermark (id, until) VALUES (1, ?)')
      .bind(Math.floor(until / FINEST_ROLLUP) * FINEST_ROLLUP),
  ]);
}
