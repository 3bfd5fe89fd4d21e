import { fixedStatement, statement, type Database } from '#db/client';
import { plantMonths, plantReadings, plantStates } from '#db/plants';
import { MARK } from '#db/rollups';
import { insertFrom } from '#db/sql';
import { and, asc, eq, sql } from 'drizzle-orm';
import { mergeLate } from './late-data.ts';
import { GROUP_READINGS, type MonthReading } from './month-file.ts';
import { openMonth, storeMonth, type Month, type ReadingStore } from './months-data.ts';
import { RISES_MARK } from './rises-data.ts';

/* The nightly way of old readings to R2. Each step may be killed and begun again. */

/**
 * Queries after which a night begins nothing more; the rest waits for the next. D1 takes 1,000 of one run of a worker. The longest step, a
 * month of a reading a second, takes 272, and the other tasks of the night some 50.
 */
const NIGHT = 650;
/** Queries of a step beside those that read or delete a group of readings. */
const QUERIES = { moved: 4, merged: 15 };

type Moved = { monthsMoved: number; readingsMoved: number; lateReadings: number };

/**
 * Moves the readings of months (UTC) that ended `months` whole months before `now` or earlier to R2, and merges what came late for
 * months that were moved.
 * @param homes among how many databases the queries of a night are divided
 * @throws Error when readings of a plant cannot be moved, after all others have been
 */
export async function moveOldReadings(
  store: ReadingStore,
  { now, months, homes = 1 }: { now: number; months: number; homes?: number },
  most = Math.floor(NIGHT / homes),
): Promise<Moved> {
  const { db } = store;
  const limit = await limitOf(db, now, months);
  const moved: Moved = { monthsMoved: 0, readingsMoved: 0, lateReadings: 0 };
  const failures = new Map<number, unknown>();
  let left = most;
  while (left > 0) {
    const [next] = await selectNext(db, { limit, failed: JSON.stringify([...failures.keys()]) });
    if (next === undefined) break;
    const { plant_id } = next;
    try {
      const month = await monthAt(db, plant_id, next.at);
      if (month?.is_emptied) {
        moved.lateReadings += await mergeLate(store, month);
        left -= QUERIES.merged;
      } else {
        const readings = month ? await emptyMonth(store, month) : await fileMonth(store, plant_id, next.at);
        if (month) {
          moved.monthsMoved += 1;
          moved.readingsMoved += readings;
        }
        left -= QUERIES.moved + Math.ceil(readings / GROUP_READINGS);
      }
    } catch (error) {
      failures.set(plant_id, error);
      left -= QUERIES.merged;
    }
  }
  const [failure] = failures;
  if (failure)
    throw new Error(`readings of ${failures.size} plants were not moved, of number ${failure[0]} first`, {
      cause: failure[1],
    });
  return moved;
}

/** The month, in UTC, that holds an instant. */
function monthOf(instant: number, later = 0): { start: number; until: number } {
  const date = new Date(instant);
  const month = (at: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + at, 1);
  return { start: month(later), until: month(later + 1) };
}

/** Until when readings are moved: the beginning of a month by which rollups and rises are written. */
async function limitOf(db: Database, now: number, months: number): Promise<number> {
  const [marks] = await statement<{ mark: number }>(db, sql`SELECT min(${MARK}, ${RISES_MARK}) AS mark`);
  return Math.min(monthOf(now, -months).start, monthOf(marks?.mark ?? 0).start);
}

const { plant_id, measured_at, seq, soil_moisture, received_at, refused_time } = plantReadings;

/** The oldest reading that is to leave the database, or a month from which not all have left it. */
const selectNext = fixedStatement<{ plant_id: number; at: number }>(sql`
  SELECT plant_id, at FROM (
    SELECT ${plantMonths.plant_id}, ${plantMonths.start} AS at FROM ${plantMonths} JOIN ${plantStates} USING (plant_id)
    WHERE NOT ${plantMonths.is_emptied}
    UNION ALL
    SELECT ${plantStates.plant_id}, (SELECT min(${measured_at}) FROM ${plantReadings}
      WHERE ${plant_id} = ${plantStates.plant_id}) AS at
    FROM ${plantStates})
  WHERE at < ${sql.placeholder('limit')} AND plant_id NOT IN (SELECT value FROM json_each(${sql.placeholder('failed')}))
  ORDER BY at LIMIT 1`);

async function monthAt(db: Database, plant: number, instant: number): Promise<Month | undefined> {
  const { start } = monthOf(instant);
  const isIt = and(eq(plantMonths.plant_id, plant), eq(plantMonths.start, start));
  return (await db.select().from(plantMonths).where(isIt))[0];
}

/** Writes the file of a month and then its row, unless the plant was removed meanwhile. @returns the number of its readings */
async function fileMonth({ db, files }: ReadingStore, plant: number, instant: number): Promise<number> {
  const month = { plant_id: plant, ...monthOf(instant) };
  const filed = await storeMonth(files, month, groupsOf(db, month));
  const isThere = sql`FROM ${plantStates} WHERE ${plantStates.plant_id} = ${plant} ON CONFLICT DO NOTHING`;
  await statement(db, insertFrom(plantMonths, { ...month, ...filed }, isThere));
  return filed.readings;
}

/** The readings that the database has of a month. */
async function* groupsOf(
  db: Database,
  month: Pick<Month, 'plant_id' | 'start' | 'until'>,
): AsyncGenerator<MonthReading[], undefined> {
  let after = { measured_at: month.start - 1, seq: Number.MAX_SAFE_INTEGER };
  for (;;) {
    const isNext = sql`(${measured_at}, ${seq}) > (${after.measured_at}, ${after.seq}) AND ${measured_at} < ${month.until}`;
    const group = await db
      .select({ measured_at, seq, soil_moisture, received_at, refused_time })
      .from(plantReadings)
      .where(and(eq(plant_id, month.plant_id), isNext))
      .orderBy(asc(measured_at), asc(seq))
      .limit(GROUP_READINGS);
    const last = group.at(-1);
    if (last === undefined) return undefined;
    yield group;
    after = last;
  }
}

const field = (at: number) => sql`row.value ->> ${sql.raw(String(at))}`;
const PLANT = sql.placeholder('plant_id');
const isIt = sql`${plantMonths.plant_id} = ${PLANT} AND ${plantMonths.start} = ${sql.placeholder('start')}
  AND ${plantMonths.digest} = ${sql.placeholder('digest')}`;

/** Each only if all of its values are those of the file. */
const deleteFiled = fixedStatement(sql`
  DELETE FROM ${plantReadings}
  WHERE EXISTS (SELECT 1 FROM ${plantMonths} WHERE ${isIt}) AND (${plant_id}, ${measured_at}, ${seq}) IN (
    SELECT held.plant_id, held.measured_at, held.seq
    FROM json_each(${sql.placeholder('rows')}) AS row CROSS JOIN ${plantReadings} AS held
      ON held.plant_id = ${PLANT} AND held.measured_at = ${field(0)} AND held.seq = ${field(1)}
    WHERE held.soil_moisture = ${field(2)} AND held.received_at = ${field(3)} AND held.refused_time IS ${field(4)})`);
const setEmptied = fixedStatement(sql`UPDATE ${plantMonths} SET is_emptied = 1 WHERE ${isIt}`);

/** Deletes from the database what the file of a month holds. @returns the number of its readings */
async function emptyMonth({ db, files }: ReadingStore, month: Month): Promise<number> {
  const file = await openMonth(files, month);
  for await (const group of file.read(month.start, month.until)) {
    const rows = group.map((one) => [
      one.measured_at,
      one.seq,
      one.soil_moisture,
      one.received_at,
      one.refused_time,
    ]);
    await deleteFiled(db, { ...month, rows: JSON.stringify(rows) });
  }
  await setEmptied(db, month);
  return month.readings;
}
