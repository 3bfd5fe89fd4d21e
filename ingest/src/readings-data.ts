import { statementTemplate, isConstraintViolation, type Database } from '#db/client';
import { bridgeKeys, plantReadings, plantRetention, plants, plantStates, removedTopics } from '#db/plants';
import { insertFrom } from '#db/sql';
import { normalizePlantName } from '#contract/plant-id';
import { PLANTS_MAX, PLANTS_PER_KEY } from '#contract/plants';
import { DAY_MS } from '#contract/time';
import { ROLLUP_DELAY_MS } from '#db/rollups';
import { CONFLICT_REASON, READINGS_PER_KEY_AND_DAY } from '#contract/readings';
import { sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import {
  countAdded,
  countArrivals,
  subtractDuplicates,
  recomputeRollups,
  SENT_ROWS,
  deleteUncertainWaterings,
} from './arrivals-data.ts';

/** A reading as stored in the table. Instants are milliseconds since 1970. */
export type ReadingRow = Omit<typeof plantReadings.$inferSelect, 'plant_id'> & {
  /** The plant's topic. */
  plant: string;
  /** The `seq` of the same reading if its board time were refused instead of believed, or the reverse. */
  counterpart_seq: number;
};

/**
 * What happened to a row, in the order of the values: it was stored, was present, or was present with another
 * value (which stays); it is older than the stored raw readings; its plant was removed later; the name of its
 * new plant looks like another name; or there are too many plants.
 */
export type ReadingOutcome =
  'stored' | 'duplicate' | 'conflict' | 'overdue' | 'removed' | 'misspelt' | 'crowded';

/** Why a row is refused, for the bridge's list of dead letters. */
export const refusalReasons = {
  conflict: CONFLICT_REASON,
  overdue: 'older than the readings that are kept',
  crowded: `a new plant, and there are ${PLANTS_MAX} already, or ${PLANTS_PER_KEY} of this key`,
};
export function invalidNameReason(plant: string): string {
  const clean = normalizePlantName(plant);
  return clean === ''
    ? 'a new plant whose name cannot be seen'
    : `a new plant whose name looks like another one: call it "${clean}" in its topic`;
}

/** When the topic's plant was removed; -1 if it was never removed. */
const removalOf = (topic: SQL) =>
  sql`coalesce((SELECT removed_at FROM ${removedTopics} WHERE ${removedTopics.topic} = ${topic}), -1)`;

/**
 * If another plant's name equals the new topic, the new plant's name gets `#` and its number, which no topic
 * and no chosen name has. A reading newer than the removal of its plant creates the plant again. A removed
 * plant has no state, so it does not count against the limits of the laboratory and of the key.
 */
const insertPlants = statementTemplate(
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
        FROM ${SENT_ROWS} WHERE value ->> 0 NOT IN (SELECT ${plants.topic} FROM ${plants})
          AND value ->> 1 > ${removalOf(sql`value ->> 0`)})
      WHERE place <= min(${sql.raw(String(PLANTS_MAX))} - (SELECT count(*) FROM ${plantStates}),
        ${sql.raw(String(PLANTS_PER_KEY))} - (SELECT count(*) FROM ${plants} JOIN ${plantStates}
          ON ${plantStates.plant_id} = ${plants.id} WHERE ${plants.brought_by} = ${sql.placeholder('key')}))`,
  ),
);

/**
 * Adds the plants that are new. Only normalized names are added: nobody could distinguish two names that look
 * alike. Existing plants keep their names.
 * @param of `newest` is the time of the newest reading; without it, a removed plant is not created again
 */
export function addPlants(
  db: Database,
  of: readonly { plant: string; newest?: number }[],
  key: number | null,
) {
  const newestOf = new Map<string, number>();
  for (const { plant, newest = 0 } of of)
    if (normalizePlantName(plant) === plant) newestOf.set(plant, Math.max(newest, newestOf.get(plant) ?? 0));
  return insertPlants(db, { sent: JSON.stringify([...newestOf]), key });
}

const OVER_QUOTA = 'over its quota';

/** Counts a key's readings, even repeats. Only json_extract() can fail here: it does beyond the quota. */
const countSent = statementTemplate(sql`
  UPDATE ${bridgeKeys} SET sent_day = ${sql.placeholder('day')},
    sent_rows = iif(${bridgeKeys.sent_day} IS ${sql.placeholder('day')}, ${bridgeKeys.sent_rows}, 0) + ${sql.placeholder('count')}
  WHERE ${bridgeKeys.id} = ${sql.placeholder('key')}
  RETURNING json_extract('{}', iif(sent_rows <= ${sql.raw(String(READINGS_PER_KEY_AND_DAY))}, '$', ${sql.raw(`'${OVER_QUOTA}'`)}))`);

const newestIn = ({ measured_at, received_at }: ReadingRow) => Math.max(measured_at, received_at);

/** The fields of a row in the order of its array. Most statements need only the first four. */
const fields = [
  'plant',
  'measured_at',
  'seq',
  'received_at',
  'soil_moisture',
  'refused_time',
  'counterpart_seq',
] as const;
const asSent = (rows: readonly ReadingRow[], sent: readonly (typeof fields)[number][] = fields) =>
  JSON.stringify(rows.map((row) => sent.map((name) => row[name])));
const namesOf = (rows: readonly ReadingRow[]) => asSent(rows, fields.slice(0, 4));
/** A CTE with a batch's rows; `place` is the index. Materialized, so that its JSON is parsed only once. */
const ROWS = sql`row (place, ${sql.raw(fields.join(', '))}) AS MATERIALIZED (
  SELECT key, ${sql.raw(fields.map((_, at) => `value ->> ${at}`).join(', '))} FROM ${SENT_ROWS})`;

const held = alias(plantReadings, 'held');
const HELD = sql`${plantReadings} AS ${held}`;
const ofRow = sql`${held.plant_id} = ${plants.id}`;
/** Two readings with the same refused board time are the same reading, even if their receipt times differ. */
const saysTheSame = sql`${ofRow} AND ${held.refused_time} = row.refused_time AND ${held.seq} = row.seq`;
/**
 * A copy of the same reading: one copy has a refused time and the other does not, because the time was in the
 * future when the reading came first, and not when it was sent again.
 */
const TWINS = [
  sql`${ofRow} AND ${held.seq} = row.counterpart_seq
    AND ${held.measured_at} = row.refused_time AND ${held.refused_time} IS NULL`,
  sql`${ofRow} AND ${held.seq} = row.counterpart_seq AND row.refused_time IS NULL
    AND ${held.refused_time} = row.measured_at`,
];

type Stored = Pick<ReadingRow, 'plant' | 'measured_at' | 'seq' | 'soil_moisture' | 'refused_time'>;

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

/** Fails if one of the readings is already stored. */
const addNewReadings = statementTemplate(insertRows);

/** Run directly after `addNewReadings`. json() fails unless exactly `count` rows were added. */
const expectAdded = statementTemplate(
  sql`SELECT iif(changes() = ${sql.placeholder('count')}, 0, json('not every row was added'))`,
);

const addReadings = statementTemplate<Stored>(sql`${insertRows}
  ON CONFLICT DO NOTHING
  RETURNING (SELECT ${plants.topic} FROM ${plants} WHERE ${plants.id} = plant_id) AS plant,
    measured_at, seq, soil_moisture, refused_time`);

type Held = { place: number; soil_moisture: number | null };

/**
 * Finds the stored readings with the same time as a row, or the same refused board time. If receipt time and
 * seq are the same but the board times differ, the stored reading is another reading: the value is NULL.
 */
const findHeld = statementTemplate<Held>(sql`
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
 * @param key id of the sender's key, whose quota the rows use up; null for our own readings
 * @returns 'over quota' if the key may not send these rows today; then nothing was stored
 * @throws Error if the database fails; then nothing was stored either
 */
export async function storeReadings(
  db: Database,
  rows: readonly ReadingRow[],
  key: number | null,
): Promise<ReadingOutcome[] | 'over quota'> {
  try {
    return await storeCounted(db, rows, key);
  } catch (error) {
    if (isConstraintViolation(error, OVER_QUOTA)) return 'over quota';
    throw error;
  }
}

async function storeCounted(
  db: Database,
  rows: readonly ReadingRow[],
  key: number | null,
): Promise<ReadingOutcome[]> {
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

/** The rows as JSON, and the statements to run before and after the readings are added. */
function arrivalOf(
  db: Database,
  rows: readonly ReadingRow[],
  key: number | null,
  count: typeof countArrivals,
) {
  const names = namesOf(rows);
  // Rollups contain only older readings. Half the delay, because the API worker's clock may differ.
  const inTime = Date.now() - ROLLUP_DELAY_MS / 2;
  const isLate = rows.some(({ measured_at: at }) => at < inTime);
  return {
    // Sorted by time: if the batch has a reading twice, its first receipt is stored.
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
      ...(isLate
        ? [...recomputeRollups, ...deleteUncertainWaterings].map((mend) => mend(db, { sent: names }))
        : []),
    ],
  };
}

/**
 * Inserts the rows if all are new, which is the usual case. `addRows` is slower: to return an added row takes
 * longer than to add it.
 * @returns whether all were new; otherwise nothing was inserted
 */
async function addNewRows(db: Database, rows: readonly ReadingRow[], key: number | null): Promise<boolean> {
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
      isConstraintViolation(error, 'UNIQUE constraint failed: plant_readings') ||
      isConstraintViolation(error, 'malformed JSON')
    )
      return false;
    throw error;
  }
}

/** Inserts the rows that are not yet present and returns their keys. */
async function addRows(db: Database, rows: readonly ReadingRow[], key: number | null): Promise<Set<string>> {
  const { sent, names, quota, plants: addTheirs, counts } = arrivalOf(db, rows, key, countArrivals);
  const [, , , added] = await db.batch([
    quota,
    addTheirs,
    subtractDuplicates(db, { sent: names }),
    addReadings(db, { sent }),
    ...counts,
  ]);
  return new Set(added.map(keyOf));
}

/** The stored values that each rejected row collides with. */
async function heldValues(
  db: Database,
  rows: readonly ReadingRow[],
): Promise<Map<ReadingRow, Set<number | null>>> {
  const values = new Map<ReadingRow, Set<number | null>>();
  if (rows.length === 0) return values;
  for (const { place, soil_moisture } of await findHeld(db, { sent: asSent(rows) })) {
    const row = rows[place];
    if (row) values.set(row, (values.get(row) ?? new Set()).add(soil_moisture));
  }
  return values;
}

type Known = { topic: string; is_there: number; removed_at: number };
const findPlants = statementTemplate<Known>(
  sql`SELECT DISTINCT value ->> 0 AS topic, value ->> 0 IN (SELECT ${plants.topic} FROM ${plants}) AS is_there,
    ${removalOf(sql`value ->> 0`)} AS removed_at FROM ${SENT_ROWS}`,
);

async function lookUp(db: Database, rows: readonly ReadingRow[]): Promise<Map<string, Known>> {
  if (rows.length === 0) return new Map();
  const found = await findPlants(db, { sent: namesOf(rows) });
  return new Map(found.map((plant) => [plant.topic, plant]));
}

function whyUnplaced(row: ReadingRow, known: Known | undefined): ReadingOutcome {
  if (known !== undefined && newestIn(row) <= known.removed_at) return 'removed';
  if (known?.is_there === 1) return 'overdue';
  return normalizePlantName(row.plant) === row.plant ? 'crowded' : 'misspelt';
}
