import { WATERING_WITHIN_MS } from '#contract/moisture';
import { UNCALIBRATED } from '#contract/moisture/percent';
import { FINEST, KEPT_SINCE, MARK, rollUp, ROLLUP_WIDTHS, startOf } from '#db/rollups';
import { DAY_MS } from '#contract/time';
import { fixedStatement } from '#db/client';
import { plantReadings, plants, plantStates, plantWaterings } from '#db/plants';
import { sql, type SQL } from 'drizzle-orm';

/* What a batch of readings changes beside the readings, in the same transaction. */

/** The batch, as JSON: an array for each row, of which plant, measured_at, seq and received_at come first. */
export const SENT = sql`json_each(${sql.placeholder('sent')})`;

const { plant_id, measured_at, seq, soil_moisture, received_at } = plantReadings;
const state = plantStates;

/** With the readings of the batch that are stored, whenever they came, each once. */
const STORED = sql`there AS (
  SELECT ${plant_id}, count(*) AS readings, max(${received_at}) AS received_at
  FROM (SELECT DISTINCT value ->> 0 AS topic, value ->> 1 AS measured_at, value ->> 2 AS seq
        FROM ${SENT}) AS row
    JOIN ${plants} ON ${plants.topic} = row.topic
    JOIN ${plantReadings} ON ${plant_id} = ${plants.id}
      AND ${measured_at} = row.measured_at AND ${seq} = row.seq
  GROUP BY ${plant_id})`;

/** The same where all of them were added, and so each was there once: what is stored need not be looked at. */
const ADDED = sql`there AS (
  SELECT ${plants.id} AS plant_id, count(*) AS readings, max(value ->> 3) AS received_at
  FROM ${SENT} JOIN ${plants} ON ${plants.topic} = value ->> 0
  GROUP BY ${plants.id})`;

/** Before the batch is stored: takes what is there already off the number that `countArrivals` adds afterwards. */
export const discountRepetitions = fixedStatement(sql`
  WITH ${STORED}
  UPDATE ${state} SET readings = ${state.readings} - there.readings FROM there
  WHERE ${state.plant_id} = there.plant_id`);

const dry = sql`coalesce(${state.dry}, ${sql.raw(String(UNCALIBRATED.dry))})`;
const span = sql`(${dry} - coalesce(${state.wet}, ${sql.raw(String(UNCALIBRATED.wet))}))`;
/** Raw is in hundredths of the span: the trigger that goes by a changed limit decides alike. */
const isBelow = (limit: typeof state.alert_below | typeof state.alert_clear) =>
  sql`(max(0, ${dry} - ${soil_moisture}) * 100 < ${limit} * ${span})`;

/**
 * After the batch is stored: counts it and, from the readings that are newer than the newest that the state knows,
 * takes the last one over. Of those the last that lifts the alert and the first after it that raises it decide; without
 * either it stays.
 */
const count = (there: SQL) =>
  fixedStatement(sql`
  WITH ${there},
    newer AS (
      SELECT ${plant_id}, ${measured_at}, ${seq}, ${soil_moisture},
        ${isBelow(state.alert_below)} AS is_dry,
        row_number() OVER latest_first AS place,
        sum(NOT ${isBelow(state.alert_clear)}) OVER latest_first AS lifted_since
      FROM there CROSS JOIN ${state} ON ${state.plant_id} = there.plant_id
        CROSS JOIN ${plantReadings} ON ${plant_id} = there.plant_id
          AND (${measured_at}, ${seq}) > (coalesce(${state.last_measured_at}, -1), coalesce(${state.last_seq}, 0))
      WINDOW latest_first AS (PARTITION BY ${plant_id} ORDER BY ${measured_at} DESC, ${seq} DESC)),
    news AS (
      SELECT plant_id, max(lifted_since) > 0 AS is_lifted,
        min(measured_at) FILTER (WHERE is_dry AND lifted_since = 0) AS dry_since,
        max(measured_at) AS measured_at,
        max(seq) FILTER (WHERE place = 1) AS seq,
        max(soil_moisture) FILTER (WHERE place = 1) AS soil_moisture
      FROM newer GROUP BY plant_id)
  UPDATE ${state} SET readings = ${state.readings} + there.readings,
    last_received_at = max(coalesce(${state.last_received_at}, there.received_at), there.received_at),
    last_measured_at = coalesce(news.measured_at, ${state.last_measured_at}),
    last_seq = coalesce(news.seq, ${state.last_seq}),
    last_soil_moisture = coalesce(news.soil_moisture, ${state.last_soil_moisture}),
    alert_since = iif(news.is_lifted, news.dry_since, coalesce(${state.alert_since}, news.dry_since))
  FROM there LEFT JOIN news USING (plant_id)
  WHERE ${state.plant_id} = there.plant_id`);

export const countArrivals = count(STORED);
export const countAdded = count(ADDED);

/**
 * Writes the intervals anew that were over when readings of the batch came for them, the narrowest first. None is
 * touched that lies before the raw readings: those are refused.
 */
export const reopenRollups = ROLLUP_WIDTHS.map((width) => {
  const at = sql`row.measured_at`;
  const first = startOf(at, width);
  return fixedStatement(
    rollUp(
      width,
      sql`SELECT DISTINCT ${plants.id} AS plant_id, ${first} AS first, ${first} + ${sql.raw(String(width))} AS last
        FROM (SELECT value ->> 0 AS topic, value ->> 1 AS measured_at FROM ${SENT}) AS row
          JOIN ${plants} ON ${plants.topic} = row.topic
        WHERE ${at} >= ${KEPT_SINCE} AND ${first} + ${sql.raw(String(width))} <= ${MARK}`,
    ),
  );
});

const { before_at, top_at } = plantWaterings;
const within = sql.raw(String(WATERING_WITHIN_MS));
/** Longer ago than this nothing is looked for again; no rise is longer either. */
const MONTH = sql.raw(String(30 * DAY_MS));

/** The first interval of each plant of the batch that may have changed. */
const LATE = sql`late AS (
  SELECT ${plants.id} AS plant_id, min(${startOf(sql`(value ->> 1)`, FINEST)}) AS start
  FROM ${SENT} JOIN ${plants} ON ${plants.topic} = value ->> 0
  WHERE value ->> 1 >= ${KEPT_SINCE} GROUP BY ${plants.id})`;

/**
 * Waterings that readings of the batch may have changed are looked for again: those that were not over when the earliest
 * was measured. The search goes on from the top of the one before.
 */
export const takeBackWaterings = [
  sql`WITH ${LATE}
  DELETE FROM ${plantWaterings} WHERE (plant_id, before_at) IN (
    SELECT ${plantWaterings.plant_id}, ${before_at} FROM late CROSS JOIN ${plantWaterings} USING (plant_id)
    WHERE ${before_at} >= late.start - ${MONTH} AND ${top_at} >= late.start - ${within})`,
  sql`WITH ${LATE}
  UPDATE ${state} SET waterings_until = max(late.start - ${MONTH}, coalesce((
    SELECT ${top_at} FROM ${plantWaterings} WHERE ${plantWaterings.plant_id} = late.plant_id
    ORDER BY ${before_at} DESC LIMIT 1), 0))
  FROM late WHERE ${state.plant_id} = late.plant_id AND ${state.waterings_until} >= late.start - ${within}`,
].map((query) => fixedStatement(query));
