import { getTableName, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';

/*
 * SQL that Drizzle's builder cannot express, with names from the schema. Values are bound where they are
 * used, never numbered.
 */

type Expression = SQLWrapper | string | number | null;
type Columns<Table extends SQLiteTable> = { [Name in keyof Table['$inferInsert']]: Expression };

/**
 * `INSERT INTO table (…) SELECT … FROM …`, with each column beside its value: `tsc` reports a missing column.
 * @param from everything after the values: FROM, WHERE, ON CONFLICT
 */
export function insertFrom<Table extends SQLiteTable>(table: Table, values: Columns<Table>, from: SQL): SQL {
  const columns = Object.keys(values).map((name) => sql.identifier(name));
  const expressions = Object.values<Expression>(values).map((value) => sql`${value}`);
  return sql`INSERT INTO ${sql.identifier(getTableName(table))} (${sql.join(columns, sql`, `)})
    SELECT ${sql.join(expressions, sql`, `)} ${from}`;
}

export function jsonObject(values: Record<string, Expression>): SQL<string> {
  const pairs = Object.entries(values).map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`);
  return sql`json_object(${sql.join(pairs, sql`, `)})`;
}

/** The assignments of `DO UPDATE SET` that overwrite these columns with the new row's values. */
export const excludedColumns = (columns: string[]): SQL =>
  sql.join(
    columns.map((name) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`),
    sql`, `,
  );

/** Casts to an integer: D1 binds every number as REAL, so JSON and results would have 1.0 instead of 1. */
export const toInt = (value: number | null): SQL<number> => sql`CAST(${value} AS INTEGER)`;

type Named = Record<string, SQLWrapper>;

/** The access log's detail for an added row, such as `{"amount": [null, 500]}`, plus `more`. */
export const addedRowLogDetail = (columns: Named, more: Named = {}): SQL<string> =>
  jsonObject({ ...each(columns, (column) => sql`json_array(NULL, ${column})`), ...more });

/** The access log's detail for a deleted row, such as `{"amount": [500, null]}`, plus `more`. */
export const deletedRowLogDetail = (columns: Named, more: Named = {}): SQL<string> =>
  jsonObject({ ...each(columns, (column) => sql`json_array(${column}, NULL)`), ...more });

const each = (columns: Named, of: (column: SQLWrapper) => SQL): Record<string, SQL> =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, of(column)]));
