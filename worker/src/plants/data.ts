import type { PlantRecord } from '#contract/plants';
import type { Database } from '#db/client';
import { sql, type SQL } from 'drizzle-orm';

/** `from` inclusive, `to` exclusive, in milliseconds since 1970. */
export type ReadingRange = { plant?: string; from?: number; to?: number };

type Row = { plant: string; measured_at: number; soil_moisture: number };

/**
 * Readings of the range, oldest first: all of them where at most `points` there are, otherwise at most `points`,
 * namely the lowest and the highest of each plant in each of equally long stretches of time.
 */
export async function listReadings(
  db: Database,
  range: ReadingRange,
  points: number,
): Promise<PlantRecord[]> {
  const raw = await db.all<Row>(sql`
    SELECT plants.name AS plant, measured_at, soil_moisture
    FROM plant_readings JOIN plants ON plants.id = plant_id
    WHERE ${inRange(range)} LIMIT ${points + 1}`);
  const rows = raw.length <= points ? raw : await listExtremes(db, range, points);
  return rows
    .sort((a, b) => a.measured_at - b.measured_at)
    .map((row) => ({
      plant: row.plant,
      datetime: new Date(row.measured_at).toISOString(),
      soil_moisture: row.soil_moisture,
    }));
}

/** D1 binds every number as REAL: without the CAST the buckets would be fractions. */
async function listExtremes(db: Database, range: ReadingRange, points: number): Promise<Row[]> {
  return await db.all<Row>(sql`
    WITH bounds AS (
      SELECT min(measured_at) AS first, max(measured_at) + 1 AS last,
             max(1, CAST(${points} AS INTEGER) / 2 / count(DISTINCT plant_id)) AS buckets
      FROM plant_readings JOIN plants ON plants.id = plant_id WHERE ${inRange(range)}
    ), bucketed AS (
      SELECT plant_id, plants.name AS plant, measured_at, soil_moisture,
             (measured_at - first) * buckets / (last - first) AS bucket
      FROM bounds, plant_readings JOIN plants ON plants.id = plant_id WHERE ${inRange(range)}
    )
    SELECT plant, measured_at, min(soil_moisture) AS soil_moisture FROM bucketed GROUP BY plant_id, bucket
    UNION
    SELECT plant, measured_at, max(soil_moisture) FROM bucketed GROUP BY plant_id, bucket
    LIMIT ${points}`);
}

function inRange({ plant, from, to }: ReadingRange): SQL {
  const conditions = [sql`1`];
  if (plant !== undefined) conditions.push(sql`plants.name = ${plant}`);
  if (from !== undefined) conditions.push(sql`measured_at >= ${from}`);
  if (to !== undefined) conditions.push(sql`measured_at < ${to}`);
  return sql.join(conditions, sql` AND `);
}
