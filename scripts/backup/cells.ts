import type { DatabaseSync } from 'node:sqlite';

/**
 * A value exactly as SQLite stores it: an integer is a bigint, a real is a number, a text is its bytes, a
 * blob is a hex string. Usual types would change integers beyond 2^53 and texts that are not valid Unicode.
 */
export type Cell = null | bigint | number | Uint8Array | string;

export const quoteId = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * Reads rows for an archive, exactly as SQLite stores them.
 * @param values the SELECT's result columns, as SQL
 * @param rest what follows the table's name in the SELECT
 */
export function* readCells(
  db: DatabaseSync,
  table: string,
  values: readonly string[],
  rest = '',
): Generator<Cell[], void> {
  const exactly = values.map(
    (value) =>
      `CASE typeof(${value}) WHEN 'text' THEN CAST(${value} AS BLOB) WHEN 'blob' THEN hex(${value}) ELSE ${value} END`,
  );
  const select = db.prepare(`SELECT ${exactly.join(', ')} FROM ${quoteId(table)} ${rest}`);
  select.setReadBigInts(true);
  select.setReturnArrays(true);
  // TypeScript's types for SQLite do not know that a row can be an array.
  for (const row of select.iterate()) yield Object.values(row);
}

const unicode = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textIn(bytes: Uint8Array): string | undefined {
  try {
    return unicode.decode(bytes);
  } catch {
    return undefined;
  }
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/**
 * The text for a value when a table is hashed: JSON if JSON can express the value. This text must never
 * change, because old archives contain hashes that were made from it.
 */
function hashedText(cell: Cell): string {
  if (cell === null) return 'null';
  if (typeof cell === 'string') return `X'${cell}'`;
  if (typeof cell === 'object') {
    const text = textIn(cell);
    return text === undefined ? `T'${hex(cell)}'` : JSON.stringify(text);
  }
  return typeof cell === 'number' && Number.isFinite(cell) ? JSON.stringify(cell) : String(cell);
}

/**
 * Yields the texts of a table's rows to hash, in groups. If a table can have only integers, SQLite itself
 * writes the texts, in a third of the time: most rows are readings.
 */
export function* hashedRows(
  db: DatabaseSync,
  table: string,
  values: readonly string[],
  rest: string,
): Generator<{ rows: number; text: string }, void> {
  let rows = 0;
  let text = '';
  for (const row of holdsIntegers(db, table)
    ? integerRows(db, table, values, rest)
    : jsonRows(db, table, values, rest)) {
    rows++;
    text += row;
    if (text.length < TEXT_AT_ONCE) continue;
    yield { rows, text };
    [rows, text] = [0, ''];
  }
  yield { rows, text };
}

const TEXT_AT_ONCE = 64 * 1024;

function* jsonRows(
  db: DatabaseSync,
  table: string,
  values: readonly string[],
  rest: string,
): Generator<string, void> {
  for (const cells of readCells(db, table, values, rest)) yield `[${cells.map(hashedText).join(',')}]`;
}

function* integerRows(
  db: DatabaseSync,
  table: string,
  values: readonly string[],
  rest: string,
): Generator<string, void> {
  const texts = values.map((value) => `coalesce(${value}, 'null')`).join(` || ',' || `);
  for (const { row } of db
    .prepare(`SELECT '[' || ${texts} || ']' AS row FROM ${quoteId(table)} ${rest}`)
    .iterate())
    yield String(row);
}

/** Whether a table can have only integers. SQLite enforces types only in a STRICT table. */
function holdsIntegers(db: DatabaseSync, table: string): boolean {
  const isStrict = db
    .prepare("SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND name = ? AND strict = 1")
    .get(table);
  const types = db.prepare('SELECT type FROM pragma_table_info(?)').all(table);
  return isStrict !== undefined && types.every(({ type }) => /^INT(EGER)?$/i.test(String(type)));
}

/** The value as an SQL literal. SQLite stops reading at a NUL, and refuses text that is not valid Unicode. */
export function sqlLiteral(cell: Cell): string {
  if (cell === null) return 'NULL';
  if (typeof cell === 'bigint') return String(cell);
  if (typeof cell === 'string') return `X'${cell}'`;
  if (typeof cell === 'number') {
    if (!Number.isFinite(cell)) return cell > 0 ? '9e999' : '-9e999';
    return Number.isInteger(cell) && Math.abs(cell) < 1e15 ? `${cell}.0` : JSON.stringify(cell);
  }
  const text = textIn(cell);
  if (text === undefined || text.includes('\0')) return `CAST(X'${hex(cell)}' AS TEXT)`;
  return `'${text.replaceAll("'", "''")}'`;
}
