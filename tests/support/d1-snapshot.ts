import type { D1Database } from '@cloudflare/workers-types';

/** Statements that create a database again: its tables, its rows, then its indexes, triggers and views. */
export type Snapshot = { tables: string[]; rows: string[]; rest: string[] };

/** Excludes the tables of SQLite and D1, which they create and delete themselves. */
const OURS = "name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'";

async function textsOf(db: D1Database, sql: string): Promise<string[]> {
  const { results } = await db.prepare(sql).all<{ text: string }>();
  return results.map(({ text }) => text);
}

/** A snapshot of the whole database. */
export async function snapshotOf(db: D1Database): Promise<Snapshot> {
  const schema = (where: string) =>
    textsOf(
      db,
      `SELECT sql AS text FROM sqlite_schema WHERE ${OURS} AND sql IS NOT NULL AND ${where} ORDER BY rowid`,
    );
  const rowsOf = async (table: string) => {
    const columns = await textsOf(db, `SELECT name AS text FROM pragma_table_info('${table}')`);
    const values = columns.map((column) => `quote("${column}")`).join(` || ', ' || `);
    const list = columns.map((column) => `"${column}"`).join(', ');
    const insert = `'INSERT INTO "${table}" (${list}) VALUES (' || ${values} || ')'`;
    return await textsOf(db, `SELECT ${insert} AS text FROM "${table}"`);
  };
  const names = await textsOf(db, `SELECT name AS text FROM sqlite_schema WHERE type = 'table' AND ${OURS}`);
  const rows = await Promise.all(names.map(rowsOf));
  // SQLite writes counters when rows are inserted, so delete these before the saved counters are written.
  const counters = ['DELETE FROM sqlite_sequence', ...(await rowsOf('sqlite_sequence'))];
  return {
    tables: await schema("type = 'table'"),
    rows: [...rows.flat(), ...counters],
    rest: await schema("type <> 'table'"),
  };
}

/** Deletes everything in the database, also what its triggers protect. */
export async function emptyDatabase(db: D1Database): Promise<void> {
  await inOneStep(db, await dropsOf(db));
}

/** Replaces the content of the database with the snapshot. */
export async function putBack(db: D1Database, { tables, rows, rest }: Snapshot): Promise<void> {
  await inOneStep(db, [...(await dropsOf(db)), ...tables, ...rows, ...rest]);
}

const dropsOf = (db: D1Database) =>
  textsOf(
    db,
    `SELECT 'DROP ' || type || ' "' || name || '"' AS text FROM sqlite_schema
     WHERE type IN ('table', 'trigger', 'view') AND ${OURS} ORDER BY type <> 'trigger'`,
  );

async function inOneStep(db: D1Database, statements: string[]): Promise<void> {
  await db.batch(['PRAGMA defer_foreign_keys = ON', ...statements].map((sql) => db.prepare(sql)));
}
