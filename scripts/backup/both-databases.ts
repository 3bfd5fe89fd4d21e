import { DatabaseSync } from 'node:sqlite';
import type { DatabaseName } from '../local-d1.ts';
import { FREEZING } from '../plants-move.ts';
import { schemaOf, tableNames } from './archive.ts';
import { quoted } from './cells.ts';

/*
 * An archive holds both databases as one. Their tables have different names but for the book of their migrations, which
 * is called otherwise there, and for the counters, of which each has its rows.
 */

const BOOK = 'd1_migrations';
const BOOK_OF_PLANTS = 'd1_migrations_of_plants';
const COUNTERS = 'sqlite_sequence';

const nameInArchive = (name: string) => (name === BOOK ? BOOK_OF_PLANTS : name);
const nameInStore = (name: string) => (name === BOOK_OF_PLANTS ? BOOK : name);

const hasMoved = (plants: DatabaseSync): boolean => {
  if (!tableNames(plants).includes('plants_move')) return false;
  const move = plants.prepare('SELECT moved_at IS NULL AS isMoving FROM plants_move').get();
  return move?.['isMoving'] !== 1;
};

/**
 * Adds PLANTS_DB to a copy of DB, in one transaction of it.
 * @param file of PLANTS_DB, which may be in use
 * @returns the names of its tables in the copy; undefined when the plants are still in DB
 */
export function addPlants(copy: string, file: string): string[] | undefined {
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
    return tables.map(nameInArchive).toSorted();
  } finally {
    db.close();
    plants.close();
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
  /** Its tables, by their names in the archive and in the database; without the counters. */
  tables: { archived: string; name: string }[];
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
  const isPlants = database === 'PLANTS_DB';
  const belongs = (table: string) => (plants?.includes(table) ?? false) === isPlants;
  const names = (plants ?? []).map((name) => `'${name.replaceAll("'", "''")}'`).join(', ');
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
