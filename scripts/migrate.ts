import type { D1Database } from '@cloudflare/workers-types';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

/** The table that `wrangler d1 migrations` uses, so that either can continue after the other. */
const BOOK =
  'CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)';
const APPLIED = 'SELECT name FROM d1_migrations';
const NOTE = 'INSERT INTO d1_migrations (name) VALUES (?)';

/**
 * Applies the pending migrations, each in one transaction, and records them.
 * @returns names of the applied migrations
 * @throws Error naming the migration that failed; the ones before it stay applied
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

/**
 * The same for a database's file, without the workers' runtime.
 * @param but a migration that has to wait
 */
export function migrateFile(db: DatabaseSync, folder: string, but?: string): string[] {
  db.exec(BOOK);
  const applied = db.prepare(APPLIED).all();
  const pending = pendingIn(
    folder,
    applied.map(({ name }) => String(name)),
  ).filter(({ name }) => name !== but);
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

function pendingIn(folder: string, applied: string[]): { name: string; statements: string[] }[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql') && !applied.includes(name));
  return names.sort().map((name) => ({
    name,
    statements: readFileSync(join(folder, name), 'utf8').split('--> statement-breakpoint'),
  }));
}

const failureOf = (name: string, error: unknown) =>
  new Error(
    `migration ${name} failed, nothing of it was kept: ${error instanceof Error ? error.message : String(error)}`,
    { cause: error },
  );
