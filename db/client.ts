import { fillPlaceholders, type Query, type SQL } from 'drizzle-orm';
import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import type { SQLiteRaw } from 'drizzle-orm/sqlite-core/query-builders/raw';

/** `$client` is D1 itself. */
export type Database = DrizzleD1Database & { $client: D1Database };

export function database(d1: D1Database): Database {
  return drizzle(d1);
}

const dialect = new SQLiteAsyncDialect();

/**
 * Written SQL as a statement, alone or in `db.batch` beside what Drizzle builds; its rows come as SQLite names their
 * columns. Drizzle's own `db.all` has in a batch of D1 no statement that its parameters could be bound to.
 */
export function statement<Row = never>(db: Database, query: SQL): SQLiteRaw<Row[]> {
  return prepared(db, dialect.sqlToQuery(query), query);
}

/**
 * The same for SQL that is asked for often and is long: it is built once, with a `sql.placeholder` for each value,
 * because building costs as much as a small query.
 */
export function fixedStatement<Row = never>(query: SQL) {
  const { params, ...built } = dialect.sqlToQuery(query);
  return (db: Database, values: Record<string, unknown>): SQLiteRaw<Row[]> =>
    prepared(db, { ...built, params: fillPlaceholders(params, values) }, query);
}

function prepared<Row>(db: Database, query: Query, source: SQL): SQLiteRaw<Row[]> {
  const stmt = db.$client.prepare(query.sql);
  return Object.assign(db.all<Row>(source), {
    execute: async () => (await stmt.bind(...query.params).all<Row>()).results,
    getQuery: () => ({ ...query, method: 'all' as const }),
    stmt,
  });
}
