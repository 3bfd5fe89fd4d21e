import { CONFLICT } from '#contract/readings';
import { FINEST, ROLLUP_WIDTHS } from '#contract/rollups';
import { fixedStatement } from '#db/client';
import { plantMonths, plantReadings, plantRollups, plants, plantStates, refusedReadings } from '#db/plants';
import { noteLate } from '#db/rises';
import { MARK, rollUp, startOf } from '#db/rollups';
import { asExcluded, insertFrom, jsonObject } from '#db/sql';
import { sql } from 'drizzle-orm';
import { GROUP_READINGS, type MonthFile, type MonthReading } from './month-file.ts';
import { openMonth, storeMonth, type Month, type ReadingStore } from './months-data.ts';

/* Readings that came after their month was moved to R2. */

/** Readings of one step. */
const STEP = 5000;

const given = (name: string) => sql`json_each(${sql.placeholder(name)})`;
const of = (name: string) => sql`value ->> ${sql.raw(`'${name}'`)}`;
const PLANT = sql`CAST(${sql.placeholder('plant_id')} AS INTEGER)`;
const reading = plantReadings;

const selectLate = fixedStatement<MonthReading>(sql`
  SELECT ${reading.measured_at}, ${reading.seq}, ${reading.soil_moisture}, ${reading.received_at}, ${reading.refused_time}
  FROM ${reading}
  WHERE ${reading.plant_id} = ${PLANT} AND ${reading.measured_at} >= ${sql.placeholder('start')}
    AND ${reading.measured_at} < ${sql.placeholder('until')}
  ORDER BY ${reading.measured_at}, ${reading.seq} LIMIT ${STEP}`);

/**
 * Merges late readings, the oldest 5,000, into the file of their month, and writes the rollups that they are in. All of it counts or,
 * when the month changed meanwhile, nothing.
 * @returns how many were merged or were there already
 */
export async function mergeLate({ db, files }: ReadingStore, month: Month): Promise<number> {
  const late = await selectLate(db, month);
  const file = await openMonth(files, month);
  const { fresh, held, refused } = await sortOut(file, late);
  const intervals = new Intervals(fresh);
  const next =
    fresh.length === 0 ? month : await storeMonth(files, month, intervals.watch(merged(file, fresh)));
  const values = {
    ...month,
    next: next.digest,
    readings: next.readings,
    held,
    late: JSON.stringify(late),
    refused: JSON.stringify(refused),
    now: Date.now(),
    intervals: JSON.stringify(intervals.list()),
  };
  const [first, ...rest] = [...changes, ...wider, ...ending].map((write) => write(db, values));
  if (first) await db.batch([first, ...rest]);
  return late.length;
}

const placeOf = ({ measured_at, seq }: MonthReading) => `${measured_at} ${seq}`;
const boardTimeOf = ({ refused_time, seq }: MonthReading) => `refused ${refused_time} ${seq}`;

/** Which are new, how many the file holds already, and which of those say another value. */
async function sortOut(file: MonthFile, late: readonly MonthReading[]) {
  const waiting = new Map(late.map((one) => [placeOf(one), one]));
  const byBoardTime = new Map(
    late.flatMap((one) => (one.refused_time === null ? [] : [[boardTimeOf(one), one] as const])),
  );
  const fresh = new Set(late);
  const refused: MonthReading[] = [];
  for await (const group of file.read(-Infinity, Infinity))
    for (const stored of group)
      for (const one of new Set([waiting.get(placeOf(stored)), byBoardTime.get(boardTimeOf(stored))])) {
        if (one === undefined || !fresh.delete(one)) continue;
        const isSame = one.soil_moisture === stored.soil_moisture && one.refused_time === stored.refused_time;
        if (!isSame) refused.push(one);
      }
  return { fresh: [...fresh], held: late.length - fresh.size, refused };
}

const inOrder = (a: MonthReading, b: MonthReading) => a.measured_at - b.measured_at || a.seq - b.seq;

/** The readings of the file and the fresh ones, in order, by groups of rows. */
async function* merged(file: MonthFile, fresh: readonly MonthReading[]): AsyncGenerator<MonthReading[]> {
  let left = [...fresh];
  const waiting: MonthReading[] = [];
  for await (const group of file.read(-Infinity, Infinity)) {
    const last = group.at(-1);
    if (last === undefined) continue;
    const earlier = left.filter((one) => inOrder(one, last) < 0);
    left = left.slice(earlier.length);
    waiting.push(...[...group, ...earlier].sort(inOrder));
    while (waiting.length >= GROUP_READINGS) yield waiting.splice(0, GROUP_READINGS);
  }
  waiting.push(...left);
  while (waiting.length > 0) yield waiting.splice(0, GROUP_READINGS);
}

type Interval = { start: number; count: number; sum: number; lowest: number; highest: number };

/** The finest intervals that hold fresh readings, added up while the file is written. */
class Intervals {
  readonly #byStart: Map<number, Interval>;

  constructor(fresh: readonly MonthReading[]) {
    this.#byStart = new Map(
      fresh
        .map(({ measured_at }) => startOfInterval(measured_at))
        .map((start) => [start, { start, count: 0, sum: 0, lowest: Infinity, highest: -Infinity }]),
    );
  }

  async *watch(groups: AsyncIterable<MonthReading[]>): AsyncGenerator<MonthReading[]> {
    for await (const group of groups) {
      for (const one of group) this.#add(one);
      yield group;
    }
  }

  #add({ measured_at, soil_moisture }: MonthReading): void {
    const interval = this.#byStart.get(startOfInterval(measured_at));
    if (!interval) return;
    const packed = soil_moisture * 2 ** 42 + measured_at;
    interval.count += 1;
    interval.sum += soil_moisture;
    interval.lowest = Math.min(interval.lowest, packed);
    interval.highest = Math.max(interval.highest, packed);
  }

  list(): Interval[] {
    return [...this.#byStart.values()];
  }
}

const startOfInterval = (instant: number) => Math.floor(instant / FINEST) * FINEST;

const isIt = sql`${plantMonths.plant_id} = ${PLANT} AND ${plantMonths.start} = ${sql.placeholder('start')}
  AND ${plantMonths.digest} = ${sql.placeholder('digest')}`;
/** The file is still the one that was read. */
const isStill = sql`EXISTS (SELECT 1 FROM ${plantMonths} WHERE ${isIt})`;
const written = sql`${plantRollups.plant_id} = ${PLANT} AND ${plantRollups.width} = ${FINEST}
  AND ${plantRollups.start} = ${of('start')}`;
const rollup = {
  plant_id: PLANT,
  width: sql.raw(String(FINEST)),
  start: of('start'),
  count: of('count'),
  sum: of('sum'),
  lowest: of('lowest'),
  highest: of('highest'),
};

const changes = [
  noteLate(sql`
    SELECT ${PLANT} AS plant_id, min(${of('start')}) AS start FROM ${given('intervals')}
    WHERE ${isStill}
      AND ${of('count')} <> coalesce((SELECT ${plantRollups.count} FROM ${plantRollups} WHERE ${written}), 0)
    GROUP BY 1`),
  sql`${insertFrom(plantRollups, rollup, sql`FROM ${given('intervals')} WHERE ${isStill}`)}
    ON CONFLICT DO UPDATE SET ${asExcluded(['count', 'sum', 'lowest', 'highest'])}
    WHERE ${plantRollups.count} <> excluded.count`,
].map((query) => fixedStatement(query));

const wider = ROLLUP_WIDTHS.slice(1).map((width) => {
  const first = startOf(of('start'), width);
  const last = sql`${first} + ${sql.raw(String(width))}`;
  const stretches = sql`SELECT DISTINCT ${PLANT} AS plant_id, ${first} AS first, ${last} AS last
    FROM ${given('intervals')} WHERE ${isStill} AND ${last} <= ${MARK}`;
  return fixedStatement(rollUp(width, stretches));
});

/** As a queue's reading that was refused. */
const letter = jsonObject({
  plant: plants.topic,
  measured_at: of('measured_at'),
  seq: of('seq'),
  soil_moisture: of('soil_moisture'),
  received_at: of('received_at'),
  refused_time: of('refused_time'),
});

const ending = [
  insertFrom(
    refusedReadings,
    { reading: letter, reason: sql`${CONFLICT}`, refused_at: sql.placeholder('now') },
    sql`FROM ${given('refused')} JOIN ${plants} ON ${plants.id} = ${PLANT} WHERE ${isStill} ON CONFLICT DO NOTHING`,
  ),
  sql`UPDATE ${plantStates} SET readings = ${plantStates.readings} - ${sql.placeholder('held')}
    WHERE ${plantStates.plant_id} = ${PLANT} AND ${isStill}`,
  sql`DELETE FROM ${reading} WHERE ${isStill} AND (${reading.plant_id}, ${reading.measured_at}, ${reading.seq}) IN (
    SELECT ${PLANT}, ${of('measured_at')}, ${of('seq')} FROM ${given('late')})`,
  sql`UPDATE ${plantMonths} SET digest = ${sql.placeholder('next')}, readings = ${sql.placeholder('readings')} WHERE ${isIt}`,
].map((query) => fixedStatement(query));
