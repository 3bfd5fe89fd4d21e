import {
  FINEST_ROLLUP,
  RETAINED_SINCE_SQL,
  ROLLED_UP_UNTIL_SQL,
  PACKED_READING,
  ROLLUP_WIDTHS,
  bucketStart,
  unpackTime,
  unpackValue,
} from '#db/rollups';
import { statementTemplate, type Database } from '#db/client';
import { plantReadings, plantRollups, plants, plantStates } from '#db/plants';
import { jsonObject } from '#db/sql';
import { and, eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import * as z from 'zod';

/** The value of `width` for raw readings. */
export const RAW_READINGS_WIDTH = 0;

/** From the first interval that can contain a reading to the end of the last such interval. */
const ALL_TIME = { from: 0, to: 100 * ROLLUP_WIDTHS[6] } as const;

/** Instants in milliseconds since 1970: `from` inclusive, `to` exclusive. */
export type InstantRange = { from: number; to: number };

/** The intervals of one width that begin in a range; for RAW_READINGS_WIDTH, the readings in that range. */
type Piece = InstantRange & { width: number };

/** Where raw readings and rollups exist: multiples of FINEST_ROLLUP, with `rawSince` not after `mark`. */
export type StoredSpan = {
  /** The start of the stored raw readings. */
  rawSince: number;
  /** Rollups exist of every interval that ends by this instant, and of no other interval. */
  mark: number;
};

/**
 * Splits a range into pieces: the widest written intervals that fit into the range, up to `width`; finer and
 * finer intervals at both ends; raw readings at the very ends and after the mark. Where raw readings are no
 * longer stored, the finest intervals replace them; only extremes within the range count.
 */
export function splitRange(
  { from, to }: InstantRange,
  width: number,
  { rawSince, mark }: StoredSpan,
): Piece[] {
  const written = { from, to: Math.max(from, Math.min(to, mark)) };
  const fresh = { width: RAW_READINGS_WIDTH, from: written.to, to };
  return [...coverWritten(written, width).flatMap((piece) => standIns(piece, rawSince)), fresh].filter(
    (piece) => piece.from < piece.to,
  );
}

function coverWritten({ from, to }: InstantRange, width: number): Piece[] {
  const pieces: Piece[] = [];
  let left = from;
  let right = to;
  const widths = [RAW_READINGS_WIDTH, ...ROLLUP_WIDTHS.filter((candidate) => candidate <= width)];
  for (const [at, current] of widths.entries()) {
    const wider = widths[at + 1];
    const inner = wider === undefined ? undefined : wholeStretches({ from: left, to: right }, wider);
    if (inner === undefined || inner.from >= inner.to) {
      pieces.push({ width: current, from: left, to: right });
      break;
    }
    pieces.push(
      { width: current, from: left, to: inner.from },
      { width: current, from: inner.to, to: right },
    );
    left = inner.from;
    right = inner.to;
  }
  return pieces;
}

/** The part of a range that is covered by whole intervals of a width. */
function wholeStretches({ from, to }: InstantRange, width: number): InstantRange {
  return { from: Math.ceil(from / width) * width, to: Math.floor(to / width) * width };
}

function standIns(piece: Piece, rawSince: number): Piece[] {
  if (piece.width !== RAW_READINGS_WIDTH || piece.from >= rawSince) return [piece];
  const gone = {
    from: Math.floor(piece.from / FINEST_ROLLUP) * FINEST_ROLLUP,
    to: Math.min(piece.to, rawSince),
  };
  return [
    { width: FINEST_ROLLUP, ...gone },
    { width: RAW_READINGS_WIDTH, from: rawSince, to: piece.to },
  ];
}

/** Absent bounds are open; without `plant`, all plants. */
export type ReadingRange = Partial<InstantRange> & { plant?: string };

/** The values of RANGE_PARAMETERS for a range. */
export function rangeParameterValues({ plant, from, to }: ReadingRange) {
  return {
    plant: plant ?? null,
    from: Math.max(from ?? 0, ALL_TIME.from),
    to: Math.min(to ?? ALL_TIME.to, ALL_TIME.to),
  };
}

/** Maximum number of rollups read at the chosen width, not counting finer rollups at both ends. */
const MOST_STRETCHES = 3000;
/**
 * High enough to show short ranges in detail, not in five-minute rollups, even if a board measures every few
 * seconds.
 */
const MOST_RAW = 8000;

/** Parameters of every statement about a range; a null `plant` means every plant. */
export const RANGE_PARAMETERS = {
  plant: sql.placeholder('plant'),
  from: sql.placeholder('from'),
  to: sql.placeholder('to'),
};

/** A CTE with the requested plant, even if hidden, or with all plants that are shown. */
export const REQUESTED_PLANTS = sql`chosen (plant_id, name) AS (
  SELECT ${plants.id}, ${plants.name}
  FROM ${plants} JOIN ${plantStates} ON ${plantStates.plant_id} = ${plants.id}
  WHERE iif(${RANGE_PARAMETERS.plant} IS NULL, NOT ${plantStates.is_hidden}, ${plants.name} = ${RANGE_PARAMETERS.plant}))`;

type Bounds = { from: SQLWrapper | number; to: SQLWrapper | number };
const within = (column: SQLWrapper, { from, to }: Bounds) => sql`${column} >= ${from} AND ${column} < ${to}`;

/**
 * Readings of the range, oldest first, as JSON text of a PlantRecord array: all readings if there are at most
 * `points`, otherwise the lowest and highest of each of many parts of the range, at most `points` in total.
 */
export async function listReadings(db: Database, asked: ReadingRange, points: number): Promise<string> {
  const range = rangeParameterValues(asked);
  const [plan] = await selectPlan(db, planValues(range, points));
  const { width, ...kept } = planSchema.parse(plan);
  const [row] = await (width === null
    ? selectAll(db, range)
    : selectExtremes(db, { ...range, points, pieces: JSON.stringify(splitRange(range, width, kept)) }));
  return row?.records ?? '[]';
}

const exceeds = (limit: SQLWrapper | number, table: SQLWrapper, condition: SQL | undefined) =>
  sql`(SELECT count(*) FROM (
    SELECT 1 FROM chosen CROSS JOIN ${table} USING (plant_id) WHERE ${condition} LIMIT ${limit} + 1)) > ${limit}`;
const hasMoreReadings = (limit: SQLWrapper | number) =>
  exceeds(limit, plantReadings, within(plantReadings.measured_at, RANGE_PARAMETERS));
const wholeOf = (width: number) => ({ from: `from_${width}`, to: `to_${width}` });

const tooManyStretches = ROLLUP_WIDTHS.map((width, at) => {
  const { from, to } = wholeOf(width);
  const last = sql`min(${sql.placeholder(to)}, ${bucketStart(sql`mark`, width)})`;
  const whole = within(plantRollups.start, { from: sql.placeholder(from), to: last });
  const stretches = and(eq(plantRollups.width, width), whole);
  return sql`WHEN ${exceeds(MOST_STRETCHES, plantRollups, stretches)} THEN ${ROLLUP_WIDTHS[at + 1] ?? width}`;
});

/**
 * Chooses what to read: the width of rollups, or null if the range has few enough readings to return them
 * all. Counts rollups from the widest width down, and stops as soon as there are too many.
 */
const selectPlan = statementTemplate<unknown>(sql`
  WITH ${REQUESTED_PLANTS},
    kept ("rawSince", mark) AS (SELECT ${RETAINED_SINCE_SQL}, ${ROLLED_UP_UNTIL_SQL}),
    gone (gone) AS (
      SELECT EXISTS (SELECT 1 FROM chosen CROSS JOIN ${plantRollups} USING (plant_id)
        WHERE ${plantRollups.width} = ${FINEST_ROLLUP} AND ${plantRollups.start} > ${RANGE_PARAMETERS.from} - ${FINEST_ROLLUP}
          AND ${plantRollups.start} < min(${RANGE_PARAMETERS.to}, "rawSince"))
      FROM kept)
  SELECT "rawSince", mark, CASE
    WHEN NOT gone AND NOT ${hasMoreReadings(sql.placeholder('points'))} THEN NULL
    ${sql.join(tooManyStretches.toReversed(), sql` `)}
    WHEN gone OR ${hasMoreReadings(MOST_RAW)} THEN ${FINEST_ROLLUP}
    ELSE ${RAW_READINGS_WIDTH} END AS width
  FROM kept, gone`);

const planSchema = z.object({ width: z.int().nullable(), rawSince: z.int(), mark: z.int() });

function planValues(range: ReturnType<typeof rangeParameterValues>, points: number) {
  const wholes = ROLLUP_WIDTHS.map((width) => {
    const names = wholeOf(width);
    const { from, to } = wholeStretches(range, width);
    return { [names.from]: from, [names.to]: to };
  });
  return Object.assign({ ...range, points }, ...wholes);
}

/** ISO 8601 in UTC, to the millisecond. */
export const isoTimeSql = (instant: SQLWrapper) =>
  sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', ${instant} / 1000.0, 'unixepoch')`;

type Records = { records: string };

const recordOf = (name: SQLWrapper, measuredAt: SQLWrapper, soil_moisture: SQLWrapper) => ({
  plant: name,
  datetime: isoTimeSql(measuredAt),
  soil_moisture,
});

const { measured_at, soil_moisture, refused_time, seq } = plantReadings;
const record = recordOf(sql`name`, measured_at, soil_moisture);

const selectAll = statementTemplate<Records>(sql`
  WITH ${REQUESTED_PLANTS}
  SELECT json_group_array(iif(${refused_time} IS NULL, ${jsonObject(record)},
    ${jsonObject({ ...record, refused_datetime: isoTimeSql(refused_time) })})
    ORDER BY ${measured_at}, name, ${seq}) AS records
  FROM chosen CROSS JOIN ${plantReadings} USING (plant_id) WHERE ${within(measured_at, RANGE_PARAMETERS)}`);

/**
 * Groups neighbouring rollups by plant or, if there are too many plants, of all plants together. Each group
 * returns its lowest and highest reading, with the plant of each.
 */
const { lowest, highest, start, width } = plantRollups;
const points = sql.placeholder('points');

const selectExtremes = statementTemplate<Records>(sql`
  WITH ${REQUESTED_PLANTS},
    pieces (width, first, last) AS (
      SELECT value ->> 'width', value ->> 'from', value ->> 'to' FROM json_each(${sql.placeholder('pieces')})),
    stretches (plant_id, start, lowest, highest) AS MATERIALIZED (
      SELECT plant_id, ${start}, ${lowest}, ${highest}
      FROM pieces CROSS JOIN chosen CROSS JOIN ${plantRollups} USING (plant_id)
      WHERE ${width} = pieces.width AND ${start} >= first AND ${start} < last
        AND ${within(unpackTime(lowest), RANGE_PARAMETERS)} AND ${within(unpackTime(highest), RANGE_PARAMETERS)}
      UNION ALL
      SELECT plant_id, ${measured_at}, ${PACKED_READING}, ${PACKED_READING}
      FROM pieces CROSS JOIN chosen CROSS JOIN ${plantReadings} USING (plant_id)
      WHERE pieces.width = ${RAW_READINGS_WIDTH} AND ${measured_at} >= first AND ${measured_at} < last),
    size AS (
      SELECT count(*) AS many, count(DISTINCT plant_id) AS plants, max(1, CAST(${points} AS INTEGER) / 2) AS room
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
      LIMIT ${points})
  SELECT json_group_array(${jsonObject(recordOf(sql`name`, sql`measured_at`, sql`soil_moisture`))}) AS records
  FROM (SELECT name, ${unpackTime(sql`reading`)} AS measured_at, ${unpackValue(sql`reading`)} AS soil_moisture
        FROM extremes JOIN chosen USING (plant_id) ORDER BY measured_at, name)`);
