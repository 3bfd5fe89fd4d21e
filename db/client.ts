import { fillPlaceholders, type Query, type SQL } from 'drizzle-orm';
import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import type { SQLiteRaw } from 'drizzle-orm/sqlite-core/query-builders/raw';

/** `$client` is the underlying D1 binding. */
export type Database = DrizzleD1Database & { $client: D1Database };

export function database(d1: D1Database): Database {
  return drizzle(d1);
}

/** The object with some of its methods replaced. */
export function withMethods<T extends object>(of: T, methods: Record<string, unknown>): T {
  return new Proxy(of, {
    get: (target, name) => {
      const own: unknown = methods[String(name)] ?? Reflect.get(target, name);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
}

const dialect = new SQLiteAsyncDialect();

/**
 * Turns hand-written SQL into a statement that can run alone or in `db.batch` beside Drizzle's own queries. Rows are
 * keyed by SQLite's column names. Drizzle's `db.all` cannot be used in a D1 batch: it has no prepared statement to bind
 * parameters to.
 */
export function statement<Row = never>(db: Database, query: SQL): SQLiteRaw<Row[]> {
  return prepared(db, dialect.sqlToQuery(query), query);
}

/**
 * Like `statement`, for long SQL that runs often: it is built once, with a `sql.placeholder` per value, because
 * building it costs as much as running a small query.
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

/** Whether a constraint or trigger rejected the write with these words. */
export function wasRejected(error: unknown, words: string): boolean {
  const causes = [error, error instanceof Error ? error.cause : undefined].map(String);
  return causes.some((cause) => cause.includes(words));
}
