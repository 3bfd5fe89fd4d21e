import { getTableName, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';

/*
 * What Drizzle's builder cannot say, with names from the schema. A value stands where it is bound: nothing is numbered.
 */

type Expression = SQLWrapper | string | number | null;
type Columns<Table extends SQLiteTable> = { [Name in keyof Table['$inferInsert']]: Expression };

/**
 * `INSERT INTO table (…) SELECT … FROM …`: each column beside its value, so that `tsc` names one that is missing.
 * @param from everything behind the values: FROM, WHERE, ON CONFLICT
 */
export function insertFrom<Table extends SQLiteTable>(table: Table, values: Columns<Table>, from: SQL): SQL {
  const columns = Object.keys(values).map((name) => sql.identifier(name));
  const expressions = Object.values<Expression>(values).map((value) => sql`${value}`);
  return sql`INSERT INTO ${sql.identifier(getTableName(table))} (${sql.join(columns, sql`, `)})
    SELECT ${sql.join(expressions, sql`, `)} ${from}`;
}

/** `json_object('name', value, …)`. */
export function jsonObject(values: Record<string, Expression>): SQL<string> {
  const pairs = Object.entries(values).map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`);
  return sql`json_object(${sql.join(pairs, sql`, `)})`;
}

/** What stands behind `DO UPDATE SET` where the newcomer takes the place of these columns. */
export const asExcluded = (columns: string[]): SQL =>
  sql.join(
    columns.map((name) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`),
    sql`, `,
  );

/** A whole number in JSON or in a result: D1 binds numbers as REAL. */
export const integer = (value: number | null): SQL<number> => sql`CAST(${value} AS INTEGER)`;

type Named = Record<string, SQLWrapper>;

/** What the access log says of a row that came, `{"amount": [null, 500]}`, and what else there is to say. */
export const cameAs = (columns: Named, more: Named = {}): SQL<string> =>
  jsonObject({ ...each(columns, (column) => sql`json_array(NULL, ${column})`), ...more });

/** The same of a row that goes. */
export const wasBefore = (columns: Named, more: Named = {}): SQL<string> =>
  jsonObject({ ...each(columns, (column) => sql`json_array(${column}, NULL)`), ...more });

const each = (columns: Named, of: (column: SQLWrapper) => SQL): Record<string, SQL> =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, of(column)]));
