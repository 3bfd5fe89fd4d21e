import { DatabaseSync } from 'node:sqlite';
import { homeNumber } from '#contract/plant-homes';
import type { DatabaseName } from '../local-d1.ts';
import { FREEZING } from '../plants-move.ts';
import { schemaOf, tableNames } from './archive.ts';
import { quoted } from './cells.ts';

/*
 * An archive holds all databases as one. The tables of DB and PLANTS_DB have different names but for the book of their
 * migrations, which is called otherwise there, and for the counters, of which each has its rows. Those of PLANTS_DB_2 are
 * called `plants@2` and so on: rows alone, for the schema that PLANTS_DB has.
 */

const BOOK = 'd1_migrations';
const BOOK_OF_PLANTS = 'd1_migrations_of_plants';
const COUNTERS = 'sqlite_sequence';

const nameInArchive = (name: string) => (name === BOOK ? BOOK_OF_PLANTS : name);
const nameInStore = (name: string) => (name === BOOK_OF_PLANTS ? BOOK : name);

/** A further home of plants, in a file that may be in use. */
export type FurtherHome = { name: DatabaseName; file: string };

const suffixOf = (home: DatabaseName) => `@${homeNumber(home) ?? ''}`;

/** The further homes of which an archive has something. */
export const homesInArchive = (plants: readonly string[] | undefined): DatabaseName[] => [
  ...new Set(
    (plants ?? []).flatMap((table): DatabaseName[] => {
      const [, number] = /@(\d+)$/.exec(table) ?? [];
      return number === undefined ? [] : [`PLANTS_DB_${Number(number)}`];
    }),
  ),
];

/** Which groups live where, as text; the same as long as none arrives anywhere. */
export const DIRECTORY = 'SELECT plant_group, home, moving_to FROM plant_homes ORDER BY plant_group';

/** Groups that go from one home to another meanwhile could be in neither copy, or in none that is looked into. */
const TRIES = 10;

/**
 * Copies databases one after another, again where a group has gone from one to another meanwhile.
 * @throws Error when that never ends
 */
export async function whileNothingMoves<T>(
  directory: () => Promise<unknown[]>,
  copy: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one try after another
    const before = JSON.stringify(await directory());
    // oxlint-disable-next-line no-await-in-loop -- as above
    const copied = await copy();
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (JSON.stringify(await directory()) === before) return copied;
  }
  throw new Error('groups of plants move from one database to another all the time: try again in an hour');
}

const hasMoved = (plants: DatabaseSync): boolean => {
  if (!tableNames(plants).includes('plants_move')) return false;
  const move = plants.prepare('SELECT moved_at IS NULL AS isMoving FROM plants_move').get();
  return move?.['isMoving'] !== 1;
};

/**
 * Adds PLANTS_DB and the further homes to a copy of DB, in one transaction of it.
 * @param file of PLANTS_DB, which may be in use
 * @returns the names of their tables in the copy; undefined when the plants are still in DB
 */
export function addPlants(
  copy: string,
  file: string,
  further: readonly FurtherHome[] = [],
): string[] | undefined {
  const plants = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  const db = new DatabaseSync(copy);
  try {
    // What had not moved, or was about to, is written again where it is restored to.
    for (const { name } of db
      .prepare(`SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB '${FREEZING}*'`)
      .all())
      db.exec(`DROP TRIGGER ${quoted(String(name))}`);
    const left = tableNames(db).includes('plants');
    if (!hasMoved(plants) || (left && plants.prepare('SELECT 1 FROM plants_move').get() === undefined))
      return undefined;
    db.exec('PRAGMA foreign_keys = OFF; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
    db.prepare('ATTACH ? AS plants').run(file);
    db.exec('BEGIN');
    const tables = tableNames(plants).filter((name) => name !== COUNTERS);
    // Moved, and not dropped yet.
    if (left)
      for (const name of [...tables, 'receiver_plants', 'plants_moved'])
        if (name !== BOOK) db.exec(`DROP TABLE IF EXISTS main.${quoted(name)}`);
    const schema = schemaOf(plants);
    for (const { sql } of schema.filter(({ type }) => type === 'table'))
      db.exec(sql.replace(BOOK, BOOK_OF_PLANTS));
    for (const name of tables)
      db.exec(`INSERT INTO main.${quoted(nameInArchive(name))} SELECT * FROM plants.${quoted(name)}`);
    copyCounters(db, tables.map(nameInArchive));
    for (const { sql } of schema.filter(({ type }) => type !== 'table')) db.exec(sql);
    db.exec('COMMIT; DETACH plants');
    const ofHomes = further.flatMap((home) => addHome(db, plants, home));
    return [...tables.map(nameInArchive), ...ofHomes].toSorted();
  } finally {
    db.close();
    plants.close();
  }
}

const bookOf = (db: DatabaseSync) =>
  JSON.stringify(
    tableNames(db).includes(BOOK) ? db.prepare(`SELECT name FROM ${BOOK} ORDER BY id`).all() : [],
  );

/**
 * Adds the rows of a further home.
 * @returns the names of its tables in the copy; none when it holds no rows
 * @throws Error when it is of another version than PLANTS_DB
 */
function addHome(db: DatabaseSync, plants: DatabaseSync, { name: home, file }: FurtherHome): string[] {
  const suffix = suffixOf(home);
  const there = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    const tables = tableNames(there).filter((name) => name !== BOOK && name !== COUNTERS);
    const isFilled = tables.some(
      (name) => there.prepare(`SELECT 1 FROM ${quoted(name)} LIMIT 1`).get() !== undefined,
    );
    if (!isFilled) return [];
    if (bookOf(there) !== bookOf(plants))
      throw new Error(`${home} has other migrations than PLANTS_DB: start or deploy the product once`);
    db.prepare('ATTACH ? AS home').run(file);
    db.exec('BEGIN');
    for (const name of tables) {
      const keys = there
        .prepare('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk')
        .all(name)
        .map((key) => quoted(String(key['name'])));
      db.exec(`CREATE TABLE main.${quoted(name + suffix)} AS SELECT * FROM home.${quoted(name)}
        ORDER BY ${keys.length > 0 ? keys.join(', ') : 'rowid'}`);
    }
    db.exec(`INSERT INTO main.${COUNTERS} (name, seq)
      SELECT name || '${suffix}', seq FROM home.${COUNTERS} WHERE name <> '${BOOK}' ORDER BY rowid;
      COMMIT; DETACH home`);
    return tables.map((name) => name + suffix);
  } finally {
    there.close();
  }
}

/** After DB's own, in their order, so that what is put together anew is the same. */
function copyCounters(db: DatabaseSync, tables: readonly string[]): void {
  const isCounted = db.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_sequence'").get();
  const isCountedThere = db
    .prepare("SELECT 1 FROM plants.sqlite_schema WHERE name = 'sqlite_sequence'")
    .get();
  if (!isCounted || !isCountedThere) return;
  const remove = db.prepare(`DELETE FROM main.${COUNTERS} WHERE name = ?`);
  for (const name of tables) remove.run(name);
  db.exec(`INSERT INTO main.${COUNTERS} (name, seq)
    SELECT iif(name = '${BOOK}', '${BOOK_OF_PLANTS}', name), seq FROM plants.${COUNTERS} ORDER BY rowid`);
}

/** What of an archive belongs into one of the databases. */
export type Part = {
  /** Its tables, by their names in the archive, where they have rows, and in the database; without the counters. */
  tables: { archived: string | undefined; name: string }[];
  /** SQL condition for the rows of the counters, and the name of each in the database. */
  counters: { isOwn: string; name: string };
  schema: { type: string; sql: string }[];
};

/** @param plants the names of PLANTS_DB's tables in the archive; undefined in one made when all was in DB */
export function partOf(
  archive: DatabaseSync,
  plants: readonly string[] | undefined,
  database: DatabaseName,
): Part {
  const first = plants?.filter((name) => !name.includes('@'));
  if (database !== 'DB' && database !== 'PLANTS_DB') return partOfHome(archive, plants, database);
  const isPlants = database === 'PLANTS_DB';
  const belongs = (table: string) => ((isPlants ? first : plants)?.includes(table) ?? false) === isPlants;
  const names = ((isPlants ? first : plants) ?? [])
    .map((name) => `'${name.replaceAll("'", "''")}'`)
    .join(', ');
  return {
    tables: tableNames(archive)
      .filter((name) => name !== COUNTERS && belongs(name))
      .map((archived) => ({ archived, name: isPlants ? nameInStore(archived) : archived })),
    counters: {
      isOwn: `name ${isPlants ? 'IN' : 'NOT IN'} (${names})`,
      name: isPlants ? `iif(name = '${BOOK_OF_PLANTS}', '${BOOK}', name)` : 'name',
    },
    schema: schemaOf(archive)
      .filter(({ table }) => belongs(table))
      .map(({ type, sql }) => ({ type, sql: isPlants ? sql.replace(BOOK_OF_PLANTS, BOOK) : sql })),
  };
}

/** The schema is PLANTS_DB's; a home of which the archive has nothing is empty. */
function partOfHome(archive: DatabaseSync, plants: readonly string[] | undefined, home: DatabaseName): Part {
  const { tables, schema } = partOf(archive, plants, 'PLANTS_DB');
  const suffix = suffixOf(home);
  const own = new Set(plants);
  return {
    tables: tables.map(({ archived, name }) => {
      const there = name === BOOK ? archived : name + suffix;
      return { name, archived: name === BOOK || own.has(name + suffix) ? there : undefined };
    }),
    counters: {
      isOwn: `name GLOB '*${suffix}' OR name = '${BOOK_OF_PLANTS}'`,
      name: `iif(name = '${BOOK_OF_PLANTS}', '${BOOK}', substr(name, 1, length(name) - ${suffix.length}))`,
    },
    schema,
  };
}
