import { fillPlaceholders, QueryPromise, type Query, type SQL } from 'drizzle-orm';
import type { BatchItem, BatchResponse } from 'drizzle-orm/batch';
import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1';
import type { RunnableQuery } from 'drizzle-orm/runnable-query';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';

export type Statements = Readonly<[BatchItem<'sqlite'>, ...BatchItem<'sqlite'>[]]>;

type Commit = <T extends Statements>(statements: T) => Promise<BatchResponse<T>>;

/**
 * `$client` is the underlying D1 binding. Every change goes through `commit`, which runs one transaction; for
 * a signed-in user `commit` also checks the user's rights (worker/src/session/data.ts).
 */
export type Database = DrizzleD1Database & { $client: D1Database; commit: Commit };

export function database(d1: D1Database): Database {
  const db = drizzle(d1);
  return Object.assign(db, { commit: <T extends Statements>(statements: T) => db.batch(statements) });
}

const dialect = new SQLiteAsyncDialect();

/**
 * Hand-written SQL that can run alone or in a batch beside Drizzle's own queries. Rows are keyed by SQLite's
 * column names. Drizzle's `db.all` fails in a D1 batch: it has no prepared statement to bind parameters to.
 */
export class Statement<Row = never> extends QueryPromise<Row[]> implements RunnableQuery<Row[], 'sqlite'> {
  declare readonly _: { readonly dialect: 'sqlite'; readonly result: Row[] };
  readonly stmt: D1PreparedStatement;
  readonly #query: Query;

  constructor(db: Database, query: Query) {
    super();
    this.stmt = db.$client.prepare(query.sql);
    this.#query = query;
  }

  /** Required by Drizzle's batch. */
  _prepare(): this {
    return this;
  }

  getQuery(): Query {
    return this.#query;
  }

  mapResult({ results }: D1Result<Row>): Row[] {
    return results;
  }

  override async execute(): Promise<Row[]> {
    return this.mapResult(await this.stmt.bind(...this.#query.params).all<Row>());
  }
}

export const statement = <Row = never>(db: Database, query: SQL): Statement<Row> =>
  new Statement(db, dialect.sqlToQuery(query));

/**
 * Like `statement`, for long SQL that runs often. Building such SQL costs as much as running a small query,
 * so it is built once, with a `sql.placeholder` for each value.
 */
export function statementTemplate<Row = never>(query: SQL) {
  const { params, ...built } = dialect.sqlToQuery(query);
  return (db: Database, values: Record<string, unknown>): Statement<Row> =>
    new Statement(db, { ...built, params: fillPlaceholders(params, values) });
}

/** Whether a constraint or trigger with this message rejected the write. */
export function isConstraintViolation(error: unknown, words: string): boolean {
  const causes = [error, error instanceof Error ? error.cause : undefined].map(String);
  return causes.some((cause) => cause.includes(words));
}
