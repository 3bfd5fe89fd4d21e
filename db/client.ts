import { type SQL } from 'drizzle-orm';
import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1';
import type { SQLiteRaw } from 'drizzle-orm/sqlite-core/query-builders/raw';
import * as schema from './schema.ts';

/** `$client` is D1 itself, for what reads better as plain SQL. */
export type Database = DrizzleD1Database<typeof schema> & { $client: D1Database };

export function database(d1: D1Database): Database {
  return drizzle(d1, { schema });
}

/**
 * Written SQL as a statement, alone or in `db.batch` beside what Drizzle builds; its rows come as SQLite names their
 * columns. Drizzle's own `db.all` has in a batch of D1 no statement that its parameters could be bound to.
 */
export function statement<Row = never>(db: Database, query: SQL): SQLiteRaw<Row[]> {
  const raw = db.all<Row>(query);
  const built = raw.getQuery();
  return Object.assign(raw, { getQuery: () => built, stmt: db.$client.prepare(built.sql) });
}
