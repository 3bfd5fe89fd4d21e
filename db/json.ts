import { sql, type SQL } from 'drizzle-orm';
import { integer } from './sql.ts';

/*
 * Long lists go into D1 and come out of it as JSON: thousands of rows cost more to carry than a few texts. D1 takes and
 * gives no value above 2 MB.
 */

const CHUNK_BYTES = 1_900_000;
/** Rows in one value that comes out. */
const CHUNK_ROWS = 500;

/**
 * The rows as what stands behind FROM, each as `value`. Three arrays hold whatever fits into a request of 4 MB; most
 * requests leave two of them empty.
 * @throws Error when they do not
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

/** What a row of `jsonRows` holds under each of these names. */
export function fields<Name extends string>(names: Record<Name, unknown>): Record<Name, SQL>;
export function fields(names: Record<string, unknown>): Record<string, SQL> {
  const value = (name: string) => sql`value ->> ${sql.raw(`'${name}'`)}`;
  return Object.fromEntries(Object.keys(names).map((name) => [name, value(name)]));
}

/** JSON of several rows with commas between them; null when there is none. */
export type Part = { part: string | null };

/**
 * A list as a few `Part`s, to be put together by `joined`.
 * @param item JSON of a row that `from` finds
 */
export function jsonParts(item: SQL, from: SQL, order: SQL): SQL {
  return sql`SELECT group_concat(item, ',') AS part
    FROM (SELECT ${item} AS item, (row_number() OVER (ORDER BY ${order}) - 1) / ${integer(CHUNK_ROWS)} AS chunk
          ${from} ORDER BY ${order})
    GROUP BY chunk ORDER BY chunk`;
}

/** What stands between the brackets of the list. */
export const joined = (parts: Part[]): string =>
  parts.flatMap(({ part }) => (part === null ? [] : [part])).join(',');
