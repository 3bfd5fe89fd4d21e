import type { D1Database } from '@cloudflare/workers-types';

/** What makes a database again: its tables, then its rows, then its indexes, triggers and views. Each is a statement. */
export type Snapshot = { tables: string[]; rows: string[]; rest: string[] };

/** Neither SQLite's own nor D1's, which come and go by themselves. */
const OURS = "name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'";

async function textsOf(db: D1Database, sql: string): Promise<string[]> {
  const { results } = await db.prepare(sql).all<{ text: string }>();
  return results.map(({ text }) => text);
}

/** Everything that is in the database. */
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
  // Counters of ids are rows as well, and come by themselves with the rows of their tables.
  const counters = ['DELETE FROM sqlite_sequence', ...(await rowsOf('sqlite_sequence'))];
  return {
    tables: await schema("type = 'table'"),
    rows: [...rows.flat(), ...counters],
    rest: await schema("type <> 'table'"),
  };
}

/** Leaves nothing in the database, whatever its triggers refuse. */
export async function emptyDatabase(db: D1Database): Promise<void> {
  await inOneStep(db, await dropsOf(db));
}

/** Makes the database what the snapshot holds, and nothing else. */
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
