import { calibrationOf, UNCALIBRATED, WATERING_RISE } from '#contract/moisture';
import { FINEST, ROLLUP_WIDTHS } from '#contract/rollups';
import { fixedStatement, type Database } from '#db/client';
import {
  plantReadings,
  plantRiseBacklog,
  plantRises,
  plantRollups,
  plantRollupWatermark,
  plantStates,
} from '#db/plants';
import { MARK, PACKED, startOf, valueOf } from '#db/rollups';
import { sql, type SQL } from 'drizzle-orm';
import { findEach, windowsAround, type Extremes, type RawRise, type Search } from './rises.ts';

export const HALF_HOUR = ROLLUP_WIDTHS[1];

/** Every rise seen before it is kept, except those of plants in the backlog. */
export const RISES_MARK = sql<number>`coalesce((SELECT ${plantRollupWatermark.rises_until} FROM ${plantRollupWatermark}), 0)`;

const { dry, wet } = plantStates;
const span = sql`(coalesce(${dry}, ${UNCALIBRATED.dry}) - coalesce(${wet}, ${UNCALIBRATED.wet}))`;
const { plant_id, width, start, lowest, highest } = plantRollups;
const { measured_at } = plantReadings;

/** A CTE with the instant until which the rises of each chosen plant are kept. */
export const KNOWN = sql`known (plant_id, since) AS (
  SELECT plant_id, min(${RISES_MARK}, coalesce(${plantRiseBacklog.since}, ${RISES_MARK}))
  FROM chosen LEFT JOIN ${plantRiseBacklog} USING (plant_id))`;

/** A half hour in which a rise may be seen, with what the search for it needs to know of its plant. */
export type WetHalfHour = Pick<typeof plantStates.$inferSelect, 'plant_id' | 'dry' | 'wet'> & {
  name: string;
  start: number;
  since: number;
  last_top: number | null;
};

const END = sql.placeholder('end');
const HALF = startOf(sql`since`, HALF_HOUR);

/**
 * The half hours up to `end` from which on rises are not kept and in which one may be seen: the lowest raw value
 * against their own highest and that of the half hour before. After the mark they are made of raw readings.
 * @param chosen a CTE `chosen` with the `plant_id` and the `name` of each plant
 * @param which a condition on `known`
 * @param limit at most so many, the oldest
 */
export const selectWet = (chosen: SQL, which: SQL, limit: SQL) =>
  fixedStatement<WetHalfHour>(sql`
  WITH ${chosen}, ${KNOWN},
    asked AS MATERIALIZED (
      SELECT plant_id, since, ${HALF} - ${HALF_HOUR} AS first, max(${startOf(MARK, HALF_HOUR)}, ${HALF} - ${HALF_HOUR}) AS fine
      FROM known WHERE ${which}),
    parts (plant_id, start, lowest, highest) AS (
      SELECT plant_id, ${start}, ${lowest}, ${highest} FROM asked CROSS JOIN ${plantRollups} USING (plant_id)
      WHERE ${width} = ${HALF_HOUR} AND ${start} >= first AND ${start} < ${END}
      UNION ALL
      SELECT plant_id, ${startOf(start, HALF_HOUR)}, ${lowest}, ${highest}
      FROM asked CROSS JOIN ${plantRollups} USING (plant_id)
      WHERE ${width} = ${FINEST} AND ${start} >= fine AND ${start} < ${END}
      UNION ALL
      SELECT plant_id, ${startOf(measured_at, HALF_HOUR)}, ${PACKED}, ${PACKED}
      FROM asked CROSS JOIN ${plantReadings} USING (plant_id)
      WHERE ${measured_at} >= max(first, ${MARK}) AND ${measured_at} < ${END}),
    halves AS (
      SELECT plant_id, start, min(lowest) AS lowest, max(highest) AS highest FROM parts GROUP BY plant_id, start),
    beside AS (
      SELECT *, lag(start) OVER (PARTITION BY plant_id ORDER BY start) AS last_start,
        lag(highest) OVER (PARTITION BY plant_id ORDER BY start) AS last_highest
      FROM halves)
  SELECT plant_id, name, beside.start, since, ${dry}, ${wet},
    (SELECT ${plantRises.top_at} FROM ${plantRises}
     WHERE ${plantRises.plant_id} = beside.plant_id AND ${plantRises.seen_at} < since
     ORDER BY ${plantRises.seen_at} DESC LIMIT 1) AS last_top
  FROM beside JOIN asked USING (plant_id) JOIN chosen USING (plant_id) JOIN ${plantStates} USING (plant_id)
  WHERE beside.start > first
    AND (max(${valueOf(sql`highest`)}, iif(last_start = beside.start - ${HALF_HOUR}, ${valueOf(sql`last_highest`)}, 0))
      - ${valueOf(sql`lowest`)}) * 100 >= ${WATERING_RISE} * ${span}
  ORDER BY beside.start, plant_id LIMIT ${limit}`);

/** Intervals of windows: those that are written and, after the mark, what raw readings make of them. */
const selectExtremes = fixedStatement<Extremes & { place: number }>(sql`
  WITH windows (place, plant_id, first, last) AS (
    SELECT key, value ->> 'plant', value ->> 'from', value ->> 'to' FROM json_each(${sql.placeholder('windows')}))
  SELECT place, ${start} AS at, ${lowest} AS lowest, ${highest} AS highest
  FROM windows CROSS JOIN ${plantRollups} ON ${plant_id} = windows.plant_id
  WHERE ${width} = ${FINEST} AND ${start} >= first AND ${start} < last
  UNION ALL
  SELECT place, ${startOf(measured_at, FINEST)} AS at, min(${PACKED}), max(${PACKED})
  FROM windows CROSS JOIN ${plantReadings} ON ${plantReadings.plant_id} = windows.plant_id
  WHERE ${measured_at} >= max(first, ${MARK}) AND ${measured_at} < last
  GROUP BY place, at
  ORDER BY place, at`);

/** The rises in wet half hours by plant, each list in the order of time. */
export async function risesIn(
  db: Database,
  halfHours: readonly WetHalfHour[],
  end: number,
): Promise<Map<number, RawRise[]>> {
  const searches = [...Map.groupBy(halfHours, (each) => each.plant_id)].map(([plant, own]): Search => {
    const windows = windowsAround(
      own.map((each) => each.start),
      end,
    );
    const { since = 0, last_top = null, ...state } = own[0] ?? { dry: null, wet: null };
    return { plant, calibration: calibrationOf(state), since, lastTop: last_top ?? undefined, windows };
  });
  return await findEach(searches, end, async (windows) => {
    const loaded: Extremes[][] = windows.map(() => []);
    for (const { place, ...extremes } of await selectExtremes(db, { windows: JSON.stringify(windows) }))
      loaded[place]?.push(extremes);
    return loaded;
  });
}
