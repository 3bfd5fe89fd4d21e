import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { plantReadings, plantRetention, plantRollups, plantRollupWatermark } from './plants.ts';
import { insertFrom } from './sql.ts';
import { DAY_MS, MINUTE_MS } from '#contract/time';

/** Rollups exist of every interval that ends by this instant, and of no other. */
export const ROLLED_UP_UNTIL_SQL = sql<number>`coalesce((SELECT ${plantRollupWatermark.until} FROM ${plantRollupWatermark}), 0)`;
/** Raw readings from before this instant may have been removed. */
export const RETAINED_SINCE_SQL = sql<number>`coalesce((SELECT ${plantRetention.since} FROM ${plantRetention}), 0)`;

/** The start of the interval that contains an instant. */
export const bucketStart = (instant: SQLWrapper, width: number): SQL<number> =>
  sql`(${instant} - ${instant} % ${sql.raw(String(width))})`;

/** A reading packed into one number, as in `lowest` and `highest`. */
export const packReading = (value: SQLWrapper, instant: SQLWrapper) =>
  sql<number>`((${value} << 42) + ${instant})`;
export const PACKED_READING = packReading(plantReadings.soil_moisture, plantReadings.measured_at);
/** Unpack the value and the time of a reading. */
export const unpackValue = (reading: SQLWrapper) => sql<number>`(${reading} >> 42)`;
export const unpackTime = (reading: SQLWrapper) =>
  sql<number>`(${reading} & ${sql.raw(String(2 ** 42 - 1))})`;

/** What the rollups of a width are computed from: readings, or the intervals of the next finer width. */
function sourceOf(width: number): { from: SQL; at: SQLiteColumn; count: SQL; sum: SQL; ends: [SQL, SQL] } {
  const below = ROLLUP_WIDTHS.findLast((narrower) => narrower < width);
  if (below === undefined) {
    const sum = sql`sum(${plantReadings.soil_moisture})`;
    const from = sql`${plantReadings} USING (plant_id) WHERE true`;
    return {
      from,
      at: plantReadings.measured_at,
      count: sql`count(*)`,
      sum,
      ends: [PACKED_READING, PACKED_READING],
    };
  }
  const { count, sum, lowest, highest, start } = plantRollups;
  return {
    from: sql`${plantRollups} USING (plant_id) WHERE ${plantRollups.width} = ${sql.raw(String(below))}`,
    at: start,
    count: sql`sum(${count})`,
    sum: sql`sum(${sum})`,
    ends: [sql`${lowest}`, sql`${highest}`],
  };
}

/**
 * Recomputes the intervals of a width from their source. Readings are only ever added, so an interval with
 * the same count is unchanged and not written.
 * @param stretches what to write: a SELECT of `plant_id`, `first` (inclusive) and `last` (exclusive), both
 * multiples of the width
 */
export function rollUpSql(width: number, stretches: SQL): SQL {
  const { from, at, count, sum, ends } = sourceOf(width);
  const values = {
    plant_id: sql`plant_id`,
    width: sql.raw(String(width)),
    start: sql`${bucketStart(at, width)} AS bucket`,
    count,
    sum,
    lowest: sql`min(${ends[0]})`,
    highest: sql`max(${ends[1]})`,
  };
  return insertFrom(
    plantRollups,
    values,
    sql`FROM (${stretches}) AS stretch CROSS JOIN ${from} AND ${at} >= stretch.first AND ${at} < stretch.last
      GROUP BY plant_id, bucket
      ON CONFLICT DO UPDATE SET count = excluded.count, sum = excluded.sum, lowest = excluded.lowest,
        highest = excluded.highest
      WHERE count <> excluded.count`,
  );
}

/** Widths of the intervals in plant_rollups in milliseconds: 5 min, 30 min, 3 h, 1 d, 8 d, 64 d, 512 d. */
export const ROLLUP_WIDTHS = [
  300_000, 1_800_000, 10_800_000, 86_400_000, 691_200_000, 5_529_600_000, 44_236_800_000,
] as const;
export const FINEST_ROLLUP = ROLLUP_WIDTHS[0];

/**
 * An interval is written only this long after its end, because readings arrive late: boards and bridges on an
 * ordinary network need seconds, a bridge that restarts a minute or two.
 */
export const ROLLUP_DELAY_MS = 10 * MINUTE_MS;

/** This long after its start, a watering is settled: readings that arrive later do not change it. */
export const WATERING_SETTLED_MS = 3 * DAY_MS;
