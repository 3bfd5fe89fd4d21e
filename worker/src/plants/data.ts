import type { Database } from '#db/client';
import * as z from 'zod';
import { ALL_TIME, cover, FINEST, RAW, ROLLUP_WIDTHS, wholeStretches, type Range } from './pyramid.ts';

/** Absent bounds are open, an absent plant is every plant. */
export type ReadingRange = Partial<Range> & { plant?: string };

/** The same as statements take it: as parameters ?1 to ?3. */
export function bounds({ plant, from, to }: ReadingRange): [plant: string | null, from: number, to: number] {
  return [plant ?? null, Math.max(from ?? 0, ALL_TIME.from), Math.min(to ?? ALL_TIME.to, ALL_TIME.to)];
}

/** So many stretches at most are read of the width that answers a range; ends of it come on top. */
const MOST_STRETCHES = 4000;
/** Boards that measure every few seconds would lose their short ranges to stretches of five minutes. */
const MOST_RAW = 8000;

/** The plant of that name, or every plant. */
export const CHOSEN = 'chosen AS (SELECT id AS plant_id, name FROM plants WHERE ?1 IS NULL OR name = ?1)';

/**
 * Readings of the range, oldest first, as the text of a JSON array of PlantRecord: all of them where at most `points`
 * there are, otherwise at most `points`, the lowest and the highest of each of many parts of the range.
 */
export async function listReadings(db: Database, asked: ReadingRange, points: number): Promise<string> {
  const [plant, from, to] = bounds(asked);
  const range = { from, to };
  const { width, since } = await planFor(db, plant, range, points);
  const select =
    width === null
      ? db.$client.prepare(RAW_RECORDS).bind(plant, from, to)
      : db.$client
          .prepare(EXTREMES)
          .bind(plant, from, to, JSON.stringify(cover(range, width, since)), points);
  return (await select.first<string>('records')) ?? '[]';
}

const planSchema = z.object({ width: z.int().nullable(), since: z.int() });

/**
 * What to read: the width of stretches, or null where the range holds few enough readings to give them all.
 * Stretches are counted from wide to narrow, and only until there are too many.
 */
async function planFor({ $client }: Database, plant: string | null, range: Range, points: number) {
  const counted = (from: string, limit: number) => `(SELECT count(*) FROM (
    SELECT 1 FROM chosen CROSS JOIN ${from} LIMIT ${limit + 1})) > ${limit}`;
  const readings = `plant_readings USING (plant_id) WHERE measured_at >= ?2 AND measured_at < ?3`;
  const stretches = (width: number) => {
    const { from, to } = wholeStretches(range, width);
    return `plant_rollups USING (plant_id) WHERE width = ${width} AND start >= ${from} AND start < ${to}`;
  };
  const tooMany = ROLLUP_WIDTHS.map((width, at) => {
    const wider = ROLLUP_WIDTHS[at + 1] ?? width;
    return `WHEN ${counted(stretches(width), MOST_STRETCHES)} THEN ${wider}`;
  });
  const row = await $client
    .prepare(
      `WITH ${CHOSEN}, kept AS (SELECT coalesce((SELECT since FROM plant_retention), 0) AS since),
         gone AS (SELECT EXISTS (SELECT 1 FROM chosen CROSS JOIN plant_rollups USING (plant_id)
           WHERE width = ${FINEST} AND start > ?2 - ${FINEST} AND start < min(?3, since)) AS gone
           FROM kept)
       SELECT since, CASE
         WHEN NOT gone AND NOT ${counted(readings, points)} THEN NULL
         ${tooMany.toReversed().join('\n')}
         WHEN gone OR ${counted(readings, MOST_RAW)} THEN ${FINEST}
         ELSE ${RAW} END AS width
       FROM kept, gone`,
    )
    .bind(plant, range.from, range.to)
    .first();
  return planSchema.parse(row);
}

/** SQL for ISO 8601 in UTC, to the millisecond. */
export const ISO = (instant: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${instant} / 1000.0, 'unixepoch')`;
const RECORD = `'plant', name, 'datetime', ${ISO('measured_at')}, 'soil_moisture', soil_moisture`;

const RAW_RECORDS = `
  WITH ${CHOSEN}
  SELECT json_group_array(iif(refused_time IS NULL, json_object(${RECORD}),
           json_object(${RECORD}, 'refused_datetime', ${ISO('refused_time')}))) AS records
  FROM (SELECT name, measured_at, soil_moisture, refused_time
        FROM chosen CROSS JOIN plant_readings USING (plant_id)
        WHERE measured_at >= ?2 AND measured_at < ?3
        ORDER BY measured_at, name, seq)`;

/** SQL for the value and the time of a reading as it stands in plant_rollups: both in one number. */
export const VALUE = (reading: string) => `(${reading} >> 42)`;
export const TIME = (reading: string) => `(${reading} & ${2 ** 42 - 1})`;

/**
 * Neighbours are joined plant by plant; where there are more plants than that leaves room for, all together. Each
 * group then gives its lowest and its highest reading, with the plant that it is of.
 */
const EXTREMES = `
  WITH ${CHOSEN},
    pieces AS (
      SELECT value ->> 'width' AS width, value ->> 'from' AS first, value ->> 'to' AS last FROM json_each(?4)),
    stretches AS MATERIALIZED (
      SELECT plant_id, start, lowest, highest
      FROM pieces CROSS JOIN chosen CROSS JOIN plant_rollups AS rollup USING (plant_id)
      WHERE rollup.width = pieces.width AND start >= first AND start < last
        AND ${TIME('lowest')} >= ?2 AND ${TIME('lowest')} < ?3
        AND ${TIME('highest')} >= ?2 AND ${TIME('highest')} < ?3
      UNION ALL
      SELECT plant_id, measured_at, (soil_moisture << 42) + measured_at, (soil_moisture << 42) + measured_at
      FROM pieces CROSS JOIN chosen CROSS JOIN plant_readings USING (plant_id)
      WHERE width = ${RAW} AND measured_at >= first AND measured_at < last),
    size AS (
      SELECT count(*) AS many, count(DISTINCT plant_id) AS plants, max(1, CAST(?5 AS INTEGER) / 2) AS room
      FROM stretches),
    lanes AS (
      SELECT plant_id, start, lowest, highest, many, iif(plants < room, plant_id, 0) AS lane,
             iif(many <= room, many, iif(plants < room, room - plants, room)) AS parts
      FROM stretches, size),
    groups AS (
      SELECT plant_id, lowest, highest, lane,
             (row_number() OVER (PARTITION BY lane ORDER BY start) - 1) / ((many + parts - 1) / parts) AS part
      FROM lanes),
    extremes AS (
      SELECT plant_id, min(lowest) AS reading FROM groups GROUP BY lane, part
      UNION
      SELECT plant_id, max(highest) FROM groups GROUP BY lane, part
      LIMIT CAST(?5 AS INTEGER))
  SELECT json_group_array(json_object(${RECORD})) AS records
  FROM (SELECT name, ${TIME('reading')} AS measured_at, ${VALUE('reading')} AS soil_moisture
        FROM extremes JOIN chosen USING (plant_id) ORDER BY measured_at, name)`;
