import { FINEST, ROLLUP_WIDTHS } from '#contract/rollups';
import { fixedStatement, type Database } from '#db/client';
import { plantReadings, plantRollups } from '#db/plants';
import { sql } from 'drizzle-orm';
import { openMonth, type Month, type ReadingStore } from './months-data.ts';
import { cover, RAW, wholeStretches, type Range } from './pyramid.ts';

/* What a chart needs of readings that are in R2. */

/** Readings of files for statements about a range. */
export type Away = {
  /** A JSON array of `[plant_id, measured_at, seq, soil_moisture, refused_time]`. */
  away: string;
  /** 1 when there are so many that only those of the range's ends are among them. */
  is_much: 0 | 1;
};

export const NOTHING_AWAY: Away = { away: '[]', is_much: 0 };

const { plant_id, measured_at, seq } = plantReadings;
const field = (at: number) => sql`value ->> ${sql.raw(String(at))}`;

/** A CTE with those readings. What the database has too is not among them: it is read there. */
export const AWAY = sql`away (plant_id, measured_at, seq, soil_moisture, refused_time) AS MATERIALIZED (
  SELECT ${field(0)}, ${field(1)}, ${field(2)}, ${field(3)}, ${field(4)} FROM json_each(${sql.placeholder('away')})
  WHERE NOT EXISTS (SELECT 1 FROM ${plantReadings}
    WHERE ${plant_id} = ${field(0)} AND ${measured_at} = ${field(1)} AND ${seq} = ${field(2)}))`;

/** Files that are in memory at a time. */
const AT_ONCE = 6;
/** No wider stretch lies within a month often enough. */
const DAY = ROLLUP_WIDTHS[3];

/**
 * Fetches the readings of a range out of the files of these months: all of them if rollups count at most `most`, otherwise those before
 * the first and after the last whole stretch, which rollups do not tell.
 */
export async function readAway(
  { db, files }: ReadingStore,
  range: Range,
  months: readonly Month[],
  most: number,
): Promise<Away> {
  const isMuch = (await countAway(db, range, months)) > most;
  const whole = wholeStretches(range, FINEST);
  const ranges = isMuch
    ? [
        { ...range, to: whole.from },
        { ...range, from: whole.to },
      ]
    : [range];
  const rows: string[] = [];
  const read = async (month: Month) => {
    const asked = ranges.filter(({ from, to }) => from < to && overlaps(month, { from, to }));
    if (asked.length === 0) return;
    const file = await openMonth(files, month);
    for (const { from, to } of asked)
      for await (const group of file.read(from, to))
        for (const one of group)
          rows.push(
            `[${month.plant_id},${one.measured_at},${one.seq},${one.soil_moisture},${one.refused_time}]`,
          );
  };
  for (let at = 0; at < months.length; at += AT_ONCE)
    await Promise.all(months.slice(at, at + AT_ONCE).map(read));
  return { away: `[${rows.join(',')}]`, is_much: isMuch ? 1 : 0 };
}

const overlaps = ({ start, until }: Month, { from, to }: Range) => start < to && until > from;

const countRolledUp = fixedStatement<{ readings: number | null }>(sql`
  WITH pieces (plant_id, width, first, last) AS (
    SELECT ${field(0)}, ${field(1)}, ${field(2)}, ${field(3)} FROM json_each(${sql.placeholder('pieces')}))
  SELECT sum(${plantRollups.count}) AS readings
  FROM pieces CROSS JOIN ${plantRollups} ON ${plantRollups.plant_id} = pieces.plant_id
  WHERE ${plantRollups.width} = pieces.width AND ${plantRollups.start} >= first AND ${plantRollups.start} < last`);

/** How many readings of these months lie in whole stretches of the range. */
async function countAway(db: Database, range: Range, months: readonly Month[]): Promise<number> {
  let readings = 0;
  const pieces: number[][] = [];
  for (const month of months) {
    const [from, to] = [Math.max(range.from, month.start), Math.min(range.to, month.until)];
    if (from === month.start && to === month.until) readings += month.readings;
    else
      for (const piece of cover({ from, to }, DAY, { rawSince: 0, mark: to }))
        if (piece.width !== RAW) pieces.push([month.plant_id, piece.width, piece.from, piece.to]);
  }
  if (pieces.length === 0) return readings;
  const [rolledUp] = await countRolledUp(db, { pieces: JSON.stringify(pieces) });
  return readings + (rolledUp?.readings ?? 0);
}
