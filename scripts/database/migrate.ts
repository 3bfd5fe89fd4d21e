import type { D1Database } from '@cloudflare/workers-types';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type DatabaseName, DATABASES, ensureLocalD1, hasLocalD1, withLocalD1 } from './local-d1.ts';

/** The folder with the migrations of each database. */
export const MIGRATION_FOLDERS: Record<DatabaseName, string> = {
  DB: 'migrations',
  PLANTS_DB: 'migrations/plants',
};

/** The same table as `wrangler d1 migrations` uses, so that both know which migrations were applied. */
const BOOK =
  'CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)';
const APPLIED = 'SELECT name FROM d1_migrations';
const NOTE = 'INSERT INTO d1_migrations (name) VALUES (?)';

/**
 * Applies the migrations that are missing, each in its own transaction, and records them.
 * @returns the names of the applied migrations
 * @throws Error naming the migration that failed; the migrations before it stay applied
 */
export async function migrate(db: D1Database, folder: string): Promise<string[]> {
  await db.exec(BOOK);
  const { results } = await db.prepare(APPLIED).all<{ name: string }>();
  const pending = pendingIn(
    folder,
    results.map(({ name }) => name),
  );
  for (const { name, statements } of pending) {
    const note = db.prepare(NOTE).bind(name);
    try {
      await db.batch([...statements.map((statement) => db.prepare(statement)), note]);
    } catch (error) {
      throw failureOf(name, error);
    }
  }
  return pending.map(({ name }) => name);
}

/** Like `migrate`, but for a database file. It does not need the workers' runtime. */
function migrateFile(db: DatabaseSync, folder: string): string[] {
  db.exec(BOOK);
  const pending = pendingIn(folder, appliedMigrations(db));
  for (const { name, statements } of pending) {
    db.exec('BEGIN IMMEDIATE');
    try {
      for (const statement of statements) db.exec(statement);
      db.prepare(NOTE).run(name);
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw failureOf(name, error);
    }
  }
  return pending.map(({ name }) => name);
}

/** A database in memory without rows, with the schema that these migrations create. */
export function schemaAfterMigrations(database: DatabaseName, applied: readonly string[]): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  db.exec(BOOK);
  for (const { name, statements } of pendingIn(MIGRATION_FOLDERS[database], []))
    if (applied.includes(name)) for (const statement of statements) db.exec(statement);
  return db;
}

/** The names of the migrations that a database has; empty for a new database. */
export function appliedMigrations(db: DatabaseSync, book = 'd1_migrations'): string[] {
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(book);
  return isThere
    ? db
        .prepare(`SELECT name FROM ${book}`)
        .all()
        .map(({ name }) => String(name))
    : [];
}

/**
 * @param applied the names of the migrations that a database has
 * @param what says in the message to whom or what the database belongs
 * @param way says in the message what the operator should do instead
 * @throws Error if this version does not have one of these migrations
 */
export function refuseUnreleasedMigrations(
  applied: readonly string[],
  database: DatabaseName,
  { what, way }: { what: string; way: string },
): void {
  const known = readdirSync(MIGRATION_FOLDERS[database]);
  if (applied.every((name) => known.includes(name))) return;
  throw new Error(`${what} was made by an unreleased version, or by a later version than this one: ${way}`);
}

function pendingIn(folder: string, applied: string[]): { name: string; statements: string[] }[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql') && !applied.includes(name));
  return names.sort().map((name) => ({
    name,
    statements: readFileSync(join(folder, name), 'utf8').split('--> statement-breakpoint'),
  }));
}

const failureOf = (name: string, error: unknown) =>
  new Error(
    `migration ${name} failed and was undone: ${error instanceof Error ? error.message : String(error)}`,
    { cause: error },
  );

/**
 * Brings the databases of a data folder to this version.
 * @returns the names of the applied migrations
 * @throws Error naming the migration that failed; the next run continues with that migration
 */
export function migrateLocal(dataDir: string): string[] {
  ensureLocalD1(dataDir);
  return DATABASES.flatMap((database) =>
    withLocalD1(dataDir, { database }, (db) => migrateFile(db, MIGRATION_FOLDERS[database])),
  );
}

/** @throws Error if a later version, or a version that was never released, has made the data folder */
export function refuseUnreleasedFolder(dataDir: string): void {
  for (const database of DATABASES)
    if (hasLocalD1(dataDir, database))
      refuseUnreleasedMigrations(withLocalD1(dataDir, { database }, appliedMigrations), database, {
        what: `the data folder ${dataDir}`,
        way: 'set DATA_DIR to another folder',
      });
}
