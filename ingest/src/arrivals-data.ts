import {
  FINEST_ROLLUP,
  RETAINED_SINCE_SQL,
  ROLLED_UP_UNTIL_SQL,
  rollUpSql,
  ROLLUP_WIDTHS,
  WATERING_SETTLED_MS,
  bucketStart,
} from '#db/rollups';
import { statementTemplate } from '#db/client';
import { plantReadings, plants, plantStates, plantWaterings } from '#db/plants';
import { sql, type SQL } from 'drizzle-orm';

/* SQL for what a batch of readings changes besides the readings: counts, states, rollups and waterings. */

/** The batch as JSON: one array per row, which begins with plant, measured_at, seq and received_at. */
export const SENT_ROWS = sql`json_each(${sql.placeholder('sent')})`;

const { plant_id, measured_at, seq, soil_moisture, received_at } = plantReadings;
const state = plantStates;

/** Per plant: how many of the batch's readings are in the table, and when the last of them was received. */
const STORED = sql`there AS (
  SELECT ${plant_id}, count(*) AS readings, max(${received_at}) AS received_at
  FROM (SELECT DISTINCT value ->> 0 AS topic, value ->> 1 AS measured_at, value ->> 2 AS seq
        FROM ${SENT_ROWS}) AS row
    JOIN ${plants} ON ${plants.topic} = row.topic
    JOIN ${plantReadings} ON ${plant_id} = ${plants.id}
      AND ${measured_at} = row.measured_at AND ${seq} = row.seq
  GROUP BY ${plant_id})`;

/** The same as `STORED` for a batch whose readings are all new; does not read the stored readings. */
const ADDED = sql`there AS (
  SELECT ${plants.id} AS plant_id, count(*) AS readings, max(value ->> 3) AS received_at
  FROM ${SENT_ROWS} JOIN ${plants} ON ${plants.topic} = value ->> 0
  GROUP BY ${plants.id})`;

/** Run before the batch is stored. Subtracts its stored readings: `countArrivals` adds the whole batch. */
export const subtractDuplicates = statementTemplate(sql`
  WITH ${STORED}
  UPDATE ${state} SET readings = ${state.readings} - there.readings FROM there
  WHERE ${state.plant_id} = there.plant_id`);

/**
 * Run after the batch is stored. Counts the readings, and writes the newest reading into the plant's state if
 * it is newer than the reading there.
 */
const count = (there: SQL) =>
  statementTemplate(sql`
  WITH ${there},
    newer AS (
      SELECT ${plant_id}, ${measured_at}, ${seq}, ${soil_moisture},
        row_number() OVER (PARTITION BY ${plant_id} ORDER BY ${measured_at} DESC, ${seq} DESC) AS place
      FROM there CROSS JOIN ${state} ON ${state.plant_id} = there.plant_id
        CROSS JOIN ${plantReadings} ON ${plant_id} = there.plant_id
          AND (${measured_at}, ${seq}) > (coalesce(${state.last_measured_at}, -1), coalesce(${state.last_seq}, 0)))
  UPDATE ${state} SET readings = ${state.readings} + there.readings,
    last_received_at = max(coalesce(${state.last_received_at}, there.received_at), there.received_at),
    last_measured_at = coalesce(newest.measured_at, ${state.last_measured_at}),
    last_seq = coalesce(newest.seq, ${state.last_seq}),
    last_soil_moisture = coalesce(newest.soil_moisture, ${state.last_soil_moisture})
  FROM there LEFT JOIN newer AS newest ON newest.plant_id = there.plant_id AND newest.place = 1
  WHERE ${state.plant_id} = there.plant_id`);

export const countArrivals = count(STORED);
export const countAdded = count(ADDED);

/**
 * Computes rollups again that were written before readings of the batch arrived, the narrowest first.
 * Leaves out intervals before the oldest raw reading, because readings from then are refused.
 */
export const recomputeRollups = ROLLUP_WIDTHS.map((width) => {
  const at = sql`row.measured_at`;
  const first = bucketStart(at, width);
  return statementTemplate(
    rollUpSql(
      width,
      sql`SELECT DISTINCT ${plants.id} AS plant_id, ${first} AS first, ${first} + ${sql.raw(String(width))} AS last
        FROM (SELECT value ->> 0 AS topic, value ->> 1 AS measured_at FROM ${SENT_ROWS}) AS row
          JOIN ${plants} ON ${plants.topic} = row.topic
        WHERE ${at} >= ${RETAINED_SINCE_SQL} AND ${first} + ${sql.raw(String(width))} <= ${ROLLED_UP_UNTIL_SQL}`,
    ),
  );
});

const { before_at } = plantWaterings;
const settled = sql.raw(String(WATERING_SETTLED_MS));

/** Per plant: the instant from which the batch may have changed waterings. */
const LATE = sql`late AS (
  SELECT ${plants.id} AS plant_id, min(${bucketStart(sql`(value ->> 1)`, FINEST_ROLLUP)}) - ${settled} AS start
  FROM ${SENT_ROWS} JOIN ${plants} ON ${plants.topic} = value ->> 0
  WHERE value ->> 1 >= ${RETAINED_SINCE_SQL} GROUP BY ${plants.id})`;

/** Deletes waterings that the batch may have changed; the next search for waterings finds them again. */
export const deleteUncertainWaterings = [
  sql`WITH ${LATE}
  DELETE FROM ${plantWaterings} WHERE (plant_id, before_at) IN (
    SELECT ${plantWaterings.plant_id}, ${before_at} FROM late CROSS JOIN ${plantWaterings} USING (plant_id)
    WHERE ${before_at} >= late.start)`,
  sql`WITH ${LATE}
  UPDATE ${state} SET waterings_until = late.start
  FROM late WHERE ${state.plant_id} = late.plant_id AND ${state.waterings_until} > late.start`,
].map((query) => statementTemplate(query));
