import { FINEST_ROLLUP, ROLLED_UP_UNTIL_SQL, ROLLUP_DELAY_MS, rollUpSql, ROLLUP_WIDTHS } from '#db/rollups';
import { statementTemplate, type Database } from '#db/client';
import { plantReadings, plantRollupWatermark, plantStates } from '#db/plants';
import { insertFrom } from '#db/sql';
import { sql } from 'drizzle-orm';

/** Readings per step. D1 allows a query 30 s; this many take about one second. */
const STEP_READINGS = 500_000;
/** A run stops after this time; the next run continues. */
const PATIENCE_MS = 60_000;
/** The longest time spans that one step may cover; a step tries one after the other. */
const STEPS = ROLLUP_WIDTHS.slice(1, 6).toReversed();

const selectMark = statementTemplate<{ mark: number }>(sql`SELECT ${ROLLED_UP_UNTIL_SQL} AS mark`);

/** Until when (milliseconds since 1970) rollups are written: all intervals that end by then, no others. */
export async function readWatermark(db: Database): Promise<number> {
  return (await selectMark(db, {}))[0]?.mark ?? 0;
}

const startOf = (instant: number, width: number) => Math.floor(instant / width) * width;

const [first, last] = [sql.placeholder('first'), sql.placeholder('last')];
const written = ROLLUP_WIDTHS.map((width) => ({
  width,
  write: statementTemplate(
    rollUpSql(
      width,
      sql`SELECT ${plantStates.plant_id}, ${first} AS first, ${last} AS last FROM ${plantStates}`,
    ),
  ),
}));

const { until } = plantRollupWatermark;
const moveMark = statementTemplate(
  sql`${insertFrom(plantRollupWatermark, { id: 1, until: sql.placeholder('end') }, sql`WHERE true`)}
    ON CONFLICT DO UPDATE SET until = max(${until}, excluded.until)`,
);

/**
 * Writes the rollups of all intervals that ended long enough before `now` (milliseconds since 1970), step by
 * step. A step is a transaction that may safely run twice.
 * @returns the number of steps, and the minutes that are left for the next run
 */
export async function writeRollups(
  db: Database,
  now: number,
  patience = PATIENCE_MS,
): Promise<{ steps: number; minutesLeft: number }> {
  const target = startOf(now - ROLLUP_DELAY_MS, FINEST_ROLLUP);
  const deadline = Date.now() + patience;
  let mark = await readWatermark(db);
  let steps = 0;
  while (mark < target && Date.now() < deadline) {
    const end = await endOfStep(db, mark, target);
    const writes = written.flatMap(({ width, write }) => {
      const [first, last] = [startOf(mark, width), startOf(end, width)];
      return first < last ? [write(db, { first, last })] : [];
    });
    await db.commit([moveMark(db, { end }), ...writes]);
    mark = end;
    steps += 1;
  }
  return { steps, minutesLeft: Math.max(0, target - mark) / 60_000 };
}

const { measured_at } = plantReadings;
const since = sql.placeholder('since');

const selectNext = statementTemplate<{ at: number | null }>(sql`
  SELECT min((SELECT min(${measured_at}) FROM ${plantReadings}
    WHERE ${plantReadings.plant_id} = ${plantStates.plant_id} AND ${measured_at} >= ${since})) AS at
  FROM ${plantStates}`);

const selectIsMuch = statementTemplate<{ isMuch: number }>(sql`
  SELECT count(*) > ${STEP_READINGS} AS "isMuch" FROM (
    SELECT 1 FROM ${plantStates} CROSS JOIN ${plantReadings} USING (plant_id)
    WHERE ${measured_at} >= ${since} AND ${measured_at} < ${sql.placeholder('end')} LIMIT ${STEP_READINGS} + 1)`);

/** The end of the longest span from the mark that fits into one step. Skips spans without readings. */
async function endOfStep(db: Database, mark: number, target: number): Promise<number> {
  if (target - mark <= FINEST_ROLLUP) return target;
  const [next] = await selectNext(db, { since: mark });
  const begin = startOf(Math.min(next?.at ?? target, target), FINEST_ROLLUP);
  if (begin === target) return target;
  for (const width of STEPS) {
    const end = Math.min(target, startOf(begin, width) + width);
    const [found] = await selectIsMuch(db, { since: begin, end });
    if (found?.isMuch !== 1) return end;
  }
  return begin + FINEST_ROLLUP;
}
