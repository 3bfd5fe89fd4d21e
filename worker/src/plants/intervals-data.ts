import type { Interval } from '#contract/moisture/series';
import { DAY_MS } from '#contract/time';
import { statementTemplate, type Database } from '#db/client';
import { plantReadings, plantRollups } from '#db/plants';
import {
  FINEST_ROLLUP,
  RETAINED_SINCE_SQL,
  ROLLED_UP_UNTIL_SQL,
  PACKED_READING,
  ROLLUP_WIDTHS,
  bucketStart,
} from '#db/rollups';
import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { splitRange, RAW_READINGS_WIDTH } from './data.ts';

const [FIVE_MINUTES, HALF_HOUR, THREE_HOURS] = ROLLUP_WIDTHS;

/** Intervals of a width that begin at least this many milliseconds before the newest reading. */
type Reach = { width: number; ago: number };

/** The input of an assessment, widest intervals first: some thousand intervals over sixty days. */
export const ASSESSMENT_PERIODS: readonly Reach[] = [
  { width: THREE_HOURS, ago: 60 * DAY_MS },
  { width: HALF_HOUR, ago: 7 * DAY_MS },
  { width: FIVE_MINUTES, ago: DAY_MS },
];

const { plant_id, width, start, count, sum, lowest, highest } = plantRollups;
const { measured_at, soil_moisture } = plantReadings;
const bucket = bucketStart(measured_at, FINEST_ROLLUP);

const selectKept = statementTemplate<{ rawSince: number; mark: number }>(
  sql`SELECT ${RETAINED_SINCE_SQL} AS "rawSince", ${ROLLED_UP_UNTIL_SQL} AS mark`,
);

/** Rollups where they are written, otherwise intervals computed from newer readings; reads each row once. */
const selectIntervals = statementTemplate<{ plant_id: number; intervals: string }>(sql`
  WITH piece (plant_id, width, first, last) AS (
    SELECT asked.value ->> 'plant_id', piece.value ->> 'width', piece.value ->> 'from', piece.value ->> 'to'
    FROM json_each(${sql.placeholder('asked')}) AS asked, json_each(asked.value, '$.pieces') AS piece)
  SELECT piece.plant_id, CASE piece.width WHEN ${sql.raw(String(RAW_READINGS_WIDTH))} THEN (
    SELECT json_group_array(json_array(bucket, ${sql.raw(String(FINEST_ROLLUP))}, count, sum, lowest, highest)) FROM (
      SELECT ${bucket} AS bucket, count(*) AS count, sum(${soil_moisture}) AS sum, min(${PACKED_READING}) AS lowest, max(${PACKED_READING}) AS highest
      FROM ${plantReadings} WHERE ${plantReadings.plant_id} = piece.plant_id
        AND ${measured_at} >= first AND ${measured_at} < last GROUP BY bucket))
  ELSE (
    SELECT json_group_array(json_array(${start}, ${width}, ${count}, ${sum}, ${lowest}, ${highest}))
    FROM ${plantRollups} WHERE ${plant_id} = piece.plant_id AND ${width} = piece.width
      AND ${start} >= first AND ${start} < last)
  END AS intervals FROM piece`);

const intervalsSchema = z.array(z.tuple([z.int(), z.int(), z.int(), z.int(), z.int(), z.int()]));

const TIME = 2 ** 42;
const readingOf = (packed: number) => ({ raw: Math.floor(packed / TIME), time: packed % TIME });

/** Reaches are ordered widest first; each begins where the whole intervals of the wider reach end. */
type Asked = { plant_id: number; until: number; reaches: readonly Reach[] };

/** The intervals of some plants, by plant, oldest first, without overlaps; none without readings. */
export async function readIntervals(
  db: Database,
  asked: readonly Asked[],
): Promise<ReadonlyMap<number, Interval[]>> {
  const [kept = { rawSince: 0, mark: 0 }] = await selectKept(db, {});
  const pieces = asked.map(({ plant_id: plant, until, reaches }) => {
    const begins = reaches.map(({ width: each, ago }, at) => {
      const whole = reaches[at - 1]?.width ?? each;
      return Math.max(0, Math.floor((until - ago) / whole) * whole);
    });
    const ofEach = reaches.map(({ width: each }, at) =>
      splitRange(
        {
          from: begins[at] ?? 0,
          to: begins[at + 1] ?? (Math.floor(until / FINEST_ROLLUP) + 1) * FINEST_ROLLUP,
        },
        each,
        kept,
      ),
    );
    return { plant_id: plant, pieces: ofEach.flat() };
  });
  const rows = await selectIntervals(db, { asked: JSON.stringify(pieces) });
  const rowsOf = Map.groupBy(rows, ({ plant_id: plant }) => plant);
  return new Map(
    [...rowsOf].map(([plant, own]) => [
      plant,
      own.flatMap(({ intervals }) => intervalsOf(intervals)).sort((a, b) => a.start - b.start),
    ]),
  );
}

const intervalsOf = (text: string): Interval[] =>
  intervalsSchema.parse(JSON.parse(text)).map(([from, wide, many, total, low, high]) => ({
    start: from,
    width: wide,
    count: many,
    sum: total,
    lowest: readingOf(low),
    highest: readingOf(high),
  }));
