import { DatabaseSync } from 'node:sqlite';
import type { DatabaseName } from '../database/local-d1.ts';
import { schemaStatements, tableNames } from './archive.ts';
import { quoteId } from './cells.ts';

/*
 * An archive has both databases in one SQLite file. Two tables exist in both databases: the list of applied
 * migrations, which gets another name for PLANTS_DB, and sqlite_sequence, whose rows are merged.
 */

const BOOK = 'd1_migrations';
const BOOK_OF_PLANTS = 'd1_migrations_of_plants';
const COUNTERS = 'sqlite_sequence';

/** By database: the name that its list of applied migrations has in an archive. */
export const MIGRATION_TABLES: Record<DatabaseName, string> = { DB: BOOK, PLANTS_DB: BOOK_OF_PLANTS };

export const tableNameInArchive = (name: string) => (name === BOOK ? BOOK_OF_PLANTS : name);
const nameInStore = (name: string) => (name === BOOK_OF_PLANTS ? BOOK : name);

/**
 * Adds PLANTS_DB to a copy of DB, in one transaction of PLANTS_DB.
 * @param file the file of PLANTS_DB, which may be in use
 * @returns the names that PLANTS_DB's tables have in the copy
 */
export function addPlantsDatabase(copy: string, file: string): string[] {
  const plants = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  const db = new DatabaseSync(copy);
  try {
    db.exec('PRAGMA foreign_keys = OFF; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
    db.prepare('ATTACH ? AS plants').run(file);
    db.exec('BEGIN');
    const tables = tableNames(plants).filter((name) => name !== COUNTERS);
    const schema = schemaStatements(plants);
    for (const { sql } of schema.filter(({ type }) => type === 'table'))
      db.exec(sql.replace(BOOK, BOOK_OF_PLANTS));
    for (const name of tables)
      db.exec(`INSERT INTO main.${quoteId(tableNameInArchive(name))} SELECT * FROM plants.${quoteId(name)}`);
    copyCounters(db, tables.map(tableNameInArchive));
    for (const { sql } of schema.filter(({ type }) => type !== 'table')) db.exec(sql);
    db.exec('COMMIT; DETACH plants');
    return tables.map(tableNameInArchive).toSorted();
  } finally {
    db.close();
    plants.close();
  }
}

/** Adds PLANTS_DB's counters after DB's, in their order: the copy of a restored store needs the same hash. */
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

/** The part of an archive that belongs to one database. */
export type ArchivePart = {
  /** The tables' names in the archive and in the database. sqlite_sequence is left out. */
  tables: { archived: string; name: string }[];
  /** SQL: which counters in sqlite_sequence belong to the database, and each counter's name there. */
  counters: { isOwn: string; name: string };
  schema: { type: string; sql: string }[];
};

/** @param plants the names that PLANTS_DB's tables have in the archive */
export function archivePart(
  archive: DatabaseSync,
  plants: readonly string[],
  database: DatabaseName,
): ArchivePart {
  const isPlants = database === 'PLANTS_DB';
  const belongs = (table: string) => plants.includes(table) === isPlants;
  const names = plants.map((name) => `'${name.replaceAll("'", "''")}'`).join(', ');
  return {
    tables: tableNames(archive)
      .filter((name) => name !== COUNTERS && belongs(name))
      .map((archived) => ({ archived, name: isPlants ? nameInStore(archived) : archived })),
    counters: {
      isOwn: `name ${isPlants ? 'IN' : 'NOT IN'} (${names})`,
      name: isPlants ? `iif(name = '${BOOK_OF_PLANTS}', '${BOOK}', name)` : 'name',
    },
    schema: schemaStatements(archive)
      .filter(({ table }) => belongs(table))
      .map(({ type, sql }) => ({ type, sql: isPlants ? sql.replace(BOOK_OF_PLANTS, BOOK) : sql })),
  };
}
