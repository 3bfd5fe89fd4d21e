import { sql, type SQL } from 'drizzle-orm';
import { toInt } from './sql.ts';

/*
 * Long lists are sent to and from D1 as JSON, because thousands of rows cost more to transfer than a few
 * strings. D1 limits a single value to 2 MB.
 */

const CHUNK_BYTES = 1_900_000;
/** Rows per JSON value read from D1. */
const CHUNK_ROWS = 500;

/**
 * A FROM item that yields each row as `value`. Three arrays are enough for any request of up to 4 MB; usually
 * two of them are empty.
 * @throws Error if the rows do not fit
 */
export function jsonRows(rows: unknown[]): SQL {
  const encoder = new TextEncoder();
  const chunks: string[][] = [[]];
  let bytes = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    const size = encoder.encode(text).length + 1;
    if (bytes + size > CHUNK_BYTES) {
      chunks.push([]);
      bytes = 0;
    }
    bytes += size;
    chunks.at(-1)?.push(text);
  }
  if (chunks.length > 3) throw new Error('more JSON than three values of D1 hold');
  const [first, second, third] = [0, 1, 2].map((at) => `[${(chunks[at] ?? []).join(',')}]`);
  return sql`(VALUES (${first}), (${second}), (${third})) AS chunk, json_each(chunk.column1)`;
}

/** SQL for the named fields of a `jsonRows` row. */
export function jsonFields<Name extends string>(names: Record<Name, unknown>): Record<Name, SQL>;
export function jsonFields(names: Record<string, unknown>): Record<string, SQL> {
  const value = (name: string) => sql`value ->> ${sql.raw(`'${name}'`)}`;
  return Object.fromEntries(Object.keys(names).map((name) => [name, value(name)]));
}

/** Comma-separated JSON of several rows, or null without rows. */
export type JsonPart = { part: string | null };

/**
 * Selects a list as a few `JsonPart`s, to be concatenated by `joinJsonParts`.
 * @param item the JSON of one row found by `from`
 */
export function jsonParts(item: SQL, from: SQL, order: SQL): SQL {
  return sql`SELECT group_concat(item, ',') AS part
    FROM (SELECT ${item} AS item, (row_number() OVER (ORDER BY ${order}) - 1) / ${toInt(CHUNK_ROWS)} AS chunk
          ${from} ORDER BY ${order})
    GROUP BY chunk ORDER BY chunk`;
}

/** The list's JSON without its brackets. */
export const joinJsonParts = (parts: JsonPart[]): string =>
  parts.flatMap(({ part }) => (part === null ? [] : [part])).join(',');
