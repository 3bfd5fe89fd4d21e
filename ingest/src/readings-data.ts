import { fixedStatement, wasRejected, type Database } from '#db/client';
import { bridgeKeys, plantReadings, plantRetention, plants, plantStates, removedTopics } from '#db/plants';
import { insertFrom } from '#db/sql';
import { cleanPlantName } from '#contract/plant-id';
import { PLANTS_MAX, PLANTS_PER_KEY } from '#contract/plants';
import { DAY_MS } from '#contract/time';
import { ROLLED_UP_AFTER_MS } from '#db/rollups';
import { CONFLICT } from '#contract/readings';
import { sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import {
  countAdded,
  countArrivals,
  discountRepetitions,
  reopenRollups,
  SENT,
  withdrawWaterings,
} from './arrivals-data.ts';

/** A reading as stored in the table. Instants are milliseconds since 1970. */
export type Row = Omit<typeof plantReadings.$inferSelect, 'plant_id'> & {
  /** The plant's topic, here as everywhere on the way from the board. */
  plant: string;
  /** The `seq` that this reading would have had if its board time had been judged the other way. */
  counterpart_seq: number;
};

/**
 * What happened to a row: stored, already present, already present with another value (which stays), older than the
 * raw readings that are kept, of a plant that was removed since, or of a new plant whose name looks like another one, or
 * that is beyond as many as there may be.
 */
export type Outcome = 'stored' | 'duplicate' | 'conflict' | 'overdue' | 'removed' | 'misspelt' | 'crowded';

/** Why a row is refused, for the bridge's list of dead letters. */
export const reasons = {
  conflict: CONFLICT,
  overdue: 'older than the readings that are kept',
  crowded: `a new plant, and there are ${PLANTS_MAX} already, or ${PLANTS_PER_KEY} of this key`,
};
export function misspeltReason(plant: string): string {
  const clean = cleanPlantName(plant);
  return clean === ''
    ? 'a new plant whose name cannot be seen'
    : `a new plant whose name looks like another one: call it "${clean}" in its topic`;
}

/** When the topic's plant was removed; before everything when it never was. */
const removalOf = (topic: SQL) =>
  sql`coalesce((SELECT removed_at FROM ${removedTopics} WHERE ${removedTopics.topic} = ${topic}), -1)`;

/**
 * Where another plant is called as this one's topic, its name gets its number behind a sign that is in no topic and in
 * no name that somebody chose. A removed plant has no state, and takes no room; that is counted only where there is a new
 * plant. It comes back with what is newer than its removal. What one key brings is bounded as well.
 */
const insertPlants = fixedStatement(
  insertFrom(
    plants,
    {
      id: sql`id`,
      topic: sql`topic`,
      brought_by: sql`${sql.placeholder('key')}`,
      name: sql`iif(topic IN (SELECT ${plants.name} FROM ${plants}), substr(topic, 1, min(56, 62 - length(id))) || ' #' || id, topic)`,
    },
    sql`FROM (
        SELECT value ->> 0 AS topic, row_number() OVER () AS place,
          coalesce((SELECT max(${plants.id}) FROM ${plants}), 0) + row_number() OVER () AS id
        FROM ${SENT} WHERE value ->> 0 NOT IN (SELECT ${plants.topic} FROM ${plants})
          AND value ->> 1 > ${removalOf(sql`value ->> 0`)})
      WHERE place <= min(${sql.raw(String(PLANTS_MAX))} - (SELECT count(*) FROM ${plantStates}),
        ${sql.raw(String(PLANTS_PER_KEY))} - (SELECT count(*) FROM ${plants} JOIN ${plantStates}
          ON ${plantStates.plant_id} = ${plants.id} WHERE ${plants.brought_by} = ${sql.placeholder('key')}))`,
  ),
);

/**
 * Adds the plants among these that are new. Which of two that look alike is meant nobody knows, so none is added but of the
 * clean name; a plant of another one that was there before goes on.
 * @param of with the instant of what is newest of each; what is of no known time brings back no removed plant
 */
export function addPlants(
  db: Database,
  of: readonly { plant: string; newest?: number }[],
  key: number | null,
) {
  const newestOf = new Map<string, number>();
  for (const { plant, newest = 0 } of of)
    if (cleanPlantName(plant) === plant) newestOf.set(plant, Math.max(newest, newestOf.get(plant) ?? 0));
  return insertPlants(db, { sent: JSON.stringify([...newestOf]), key });
}

/** Readings that a key may send in a day (UTC): a hundred boards every ten seconds, and some days caught up with. */
export const ROWS_PER_DAY = 1_000_000;
const OVER_QUOTA = 'over its quota';

/** Counts what a key sends, stored before or not, and fails once that is more than it may: outside of triggers only so. */
const countSent = fixedStatement(sql`
  UPDATE ${bridgeKeys} SET sent_day = ${sql.placeholder('day')},
    sent_rows = iif(${bridgeKeys.sent_day} IS ${sql.placeholder('day')}, ${bridgeKeys.sent_rows}, 0) + ${sql.placeholder('count')}
  WHERE ${bridgeKeys.id} = ${sql.placeholder('key')}
  RETURNING json_extract('{}', iif(sent_rows <= ${sql.raw(String(ROWS_PER_DAY))}, '$', ${sql.raw(`'${OVER_QUOTA}'`)}))`);

const newestIn = ({ measured_at, received_at }: Row) => Math.max(measured_at, received_at);

/** What is sent of a row, as an array. The first four say which reading came when, and are all that is sent where they are enough. */
const fields = [
  'plant',
  'measured_at',
  'seq',
  'received_at',
  'soil_moisture',
  'refused_time',
  'counterpart_seq',
] as const;
const asSent = (rows: readonly Row[], sent: readonly (typeof fields)[number][] = fields) =>
  JSON.stringify(rows.map((row) => sent.map((name) => row[name])));
const namesOf = (rows: readonly Row[]) => asSent(rows, fields.slice(0, 4));
/** A CTE with the rows of a batch; `place` is the index in the batch. Materialized, or each use parses its JSON again. */
const ROWS = sql`row (place, ${sql.raw(fields.join(', '))}) AS MATERIALIZED (
  SELECT key, ${sql.raw(fields.map((_, at) => `value ->> ${at}`).join(', '))} FROM ${SENT})`;

const held = alias(plantReadings, 'held');
const HELD = sql`${plantReadings} AS ${held}`;
const ofRow = sql`${held.plant_id} = ${plants.id}`;
/** The board sent the same implausible time, so it is the same reading whenever it was received. */
const saysTheSame = sql`${ofRow} AND ${held.refused_time} = row.refused_time AND ${held.seq} = row.seq`;
/**
 * The same reading judged the other way: a time that was in the future on first arrival has passed when it is sent
 * again.
 */
const TWINS = [
  sql`${ofRow} AND ${held.seq} = row.counterpart_seq
    AND ${held.measured_at} = row.refused_time AND ${held.refused_time} IS NULL`,
  sql`${ofRow} AND ${held.seq} = row.counterpart_seq AND row.refused_time IS NULL
    AND ${held.refused_time} = row.measured_at`,
];

type Stored = Pick<Row, 'plant' | 'measured_at' | 'seq' | 'soil_moisture' | 'refused_time'>;

const insertRows = sql`WITH ${ROWS} ${insertFrom(
  plantReadings,
  {
    plant_id: plants.id,
    measured_at: sql`row.measured_at`,
    seq: sql`row.seq`,
    soil_moisture: sql`row.soil_moisture`,
    received_at: sql`row.received_at`,
    refused_time: sql`row.refused_time`,
  },
  sql`FROM row JOIN ${plants} ON ${plants.topic} = row.plant
    WHERE row.measured_at >= coalesce((SELECT ${plantRetention.since} FROM ${plantRetention}), 0)
      AND max(row.measured_at, row.received_at) > ${removalOf(sql`row.plant`)}
      AND NOT EXISTS (${sql.join(
        TWINS.map((same) => sql`SELECT 1 FROM ${HELD} WHERE ${same}`),
        sql` UNION ALL `,
      )})`,
)}`;

/** Fails when one of the readings is already stored. */
const addNewReadings = fixedStatement(insertRows);

/** Right after it: fails as well unless it has added so many. Outside of triggers SQLite has no other way to fail. */
const expectAdded = fixedStatement(
  sql`SELECT iif(changes() = ${sql.placeholder('count')}, 0, json('not every row was added'))`,
);

const addReadings = fixedStatement<Stored>(sql`${insertRows}
  ON CONFLICT DO NOTHING
  RETURNING (SELECT ${plants.topic} FROM ${plants} WHERE ${plants.id} = plant_id) AS plant,
    measured_at, seq, soil_moisture, refused_time`);

type Held = { place: number; soil_moisture: number | null };

/**
 * Finds what a row collides with: a reading with the same time, or one with the same implausible board time. If a
 * collision on receipt time and seq has a different board time, it is another reading, and the value is NULL.
 */
const findHeld = fixedStatement<Held>(sql`
  WITH ${ROWS}
  SELECT place, iif(${held.refused_time} IS row.refused_time, ${held.soil_moisture}, NULL) AS soil_moisture
  FROM row JOIN ${plants} ON ${plants.topic} = row.plant
  JOIN ${HELD} ON ${ofRow} AND ${held.measured_at} = row.measured_at AND ${held.seq} = row.seq
  UNION ALL ${sql.join(
    [saysTheSame, ...TWINS].map(
      (same) => sql`SELECT place, ${held.soil_moisture}
        FROM row JOIN ${plants} ON ${plants.topic} = row.plant JOIN ${HELD} ON ${same}`,
    ),
    sql` UNION ALL `,
  )}`);

/**
 * Stores the rows, all or none, and returns the outcome of each in the same order. Idempotent.
 * @param key id of the key that sent them, whose quota they use up; null for our own
 * @returns 'over quota' when they are more than the key may send today; then nothing was stored
 * @throws Error when the database fails; then nothing was stored either
 */
export async function storeReadings(
  db: Database,
  rows: readonly Row[],
  key: number | null,
): Promise<Outcome[] | 'over quota'> {
  try {
    return await storeCounted(db, rows, key);
  } catch (error) {
    if (wasRejected(error, OVER_QUOTA)) return 'over quota';
    throw error;
  }
}

async function storeCounted(db: Database, rows: readonly Row[], key: number | null): Promise<Outcome[]> {
  if (rows.length === 0) return [];
  if (await addNewRows(db, rows, key)) return rows.map(() => 'stored');
  const added = await addRows(db, rows, key);
  const isNew = rows.map((row) => added.delete(keyOf(row)));
  const held = await heldValues(
    db,
    rows.filter((_, at) => !isNew[at]),
  );
  const unplaced = rows.filter((row, at) => !isNew[at] && !held.has(row));
  const plantsOf = await lookUp(db, unplaced);
  return rows.map((row, at) => {
    if (isNew[at]) return 'stored';
    const values = held.get(row);
    if (values === undefined) return whyUnplaced(row, plantsOf.get(row.plant));
    return values.has(row.soil_moisture) ? 'duplicate' : 'conflict';
  });
}

const keyOf = ({ plant, measured_at, seq, soil_moisture, refused_time }: Stored) =>
  `${measured_at} ${seq} ${soil_moisture} ${refused_time} ${plant}`;

/** What is sent of the rows, and the statements before and after the one that adds the readings. */
function arrivalOf(db: Database, rows: readonly Row[], key: number | null, count: typeof countArrivals) {
  const names = namesOf(rows);
  // Nothing younger is written by the clock of the API worker; the other half is for its difference from this one's.
  const inTime = Date.now() - ROLLED_UP_AFTER_MS / 2;
  const isLate = rows.some(({ measured_at: at }) => at < inTime);
  return {
    // Chronological, so that of one that was received twice the first receipt counts.
    sent: asSent(rows.toSorted((a, b) => a.measured_at - b.measured_at)),
    names,
    quota: countSent(db, { key, count: rows.length, day: Math.floor(Date.now() / DAY_MS) }),
    plants: addPlants(
      db,
      rows.map((row) => ({ plant: row.plant, newest: newestIn(row) })),
      key,
    ),
    counts: [
      count(db, { sent: names }),
      ...(isLate ? [...reopenRollups, ...withdrawWaterings].map((mend) => mend(db, { sent: names })) : []),
    ],
  };
}

/**
 * Inserts the rows if every one of them is new, as they nearly always are: to be told of each that was added takes longer than
 * adding it.
 * @returns whether they were; otherwise nothing was inserted
 */
async function addNewRows(db: Database, rows: readonly Row[], key: number | null): Promise<boolean> {
  const { sent, quota, plants: addTheirs, counts } = arrivalOf(db, rows, key, countAdded);
  try {
    await db.batch([
      quota,
      addTheirs,
      addNewReadings(db, { sent }),
      expectAdded(db, { count: rows.length }),
      ...counts,
    ]);
    return true;
  } catch (error) {
    if (
      wasRejected(error, 'UNIQUE constraint failed: plant_readings') ||
      wasRejected(error, 'malformed JSON')
    )
      return false;
    throw error;
  }
}

/** Inserts the rows that are not yet present and returns their keys. */
async function addRows(db: Database, rows: readonly Row[], key: number | null): Promise<Set<string>> {
  const { sent, names, quota, plants: addTheirs, counts } = arrivalOf(db, rows, key, countArrivals);
  const [, , , added] = await db.batch([
    quota,
    addTheirs,
    discountRepetitions(db, { sent: names }),
    addReadings(db, { sent }),
    ...counts,
  ]);
  return new Set(added.map(keyOf));
}

/** The stored values that each rejected row collides with. */
async function heldValues(db: Database, rows: readonly Row[]): Promise<Map<Row, Set<number | null>>> {
  const values = new Map<Row, Set<number | null>>();
  if (rows.length === 0) return values;
  for (const { place, soil_moisture } of await findHeld(db, { sent: asSent(rows) })) {
    const row = rows[place];
    if (row) values.set(row, (values.get(row) ?? new Set()).add(soil_moisture));
  }
  return values;
}

type Known = { topic: string; is_there: number; removed_at: number };
const findPlants = fixedStatement<Known>(
  sql`SELECT DISTINCT value ->> 0 AS topic, value ->> 0 IN (SELECT ${plants.topic} FROM ${plants}) AS is_there,
    ${removalOf(sql`value ->> 0`)} AS removed_at FROM ${SENT}`,
);

async function lookUp(db: Database, rows: readonly Row[]): Promise<Map<string, Known>> {
  if (rows.length === 0) return new Map();
  const found = await findPlants(db, { sent: namesOf(rows) });
  return new Map(found.map((plant) => [plant.topic, plant]));
}

function whyUnplaced(row: Row, known: Known | undefined): Outcome {
  if (known !== undefined && newestIn(row) <= known.removed_at) return 'removed';
  if (known?.is_there === 1) return 'overdue';
  return cleanPlantName(row.plant) === row.plant ? 'crowded' : 'misspelt';
}
