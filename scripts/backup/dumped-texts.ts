import type { D1Database } from '@cloudflare/workers-types';
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { tableNames } from './archive.ts';
import { quoteId } from './cells.ts';

const rowsSchema = z.array(z.object({ row: z.string() }));
const cellsSchema = z.tuple([z.string()], z.union([z.string(), z.number(), z.null()]));

/** In a text with a line end, D1's export and import turn the characters `\n` or `\r` into line ends too. */
const SPELLINGS = [
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
] as const;

/** The text as an export and an import would change it. */
const asDumped = (text: string) =>
  SPELLINGS.reduce(
    (dumped, [end, spelling]) => (text.includes(end) ? dumped.replaceAll(spelling, end) : dumped),
    text,
  );

type Mending = { sql: string; values: (string | number | null)[] };

/**
 * Corrects the texts that D1's export has changed, with the texts in D1. D1 may have changed after the
 * export, so a text is replaced only if it is exactly what the export makes of the text in D1.
 * @param d1 the database from which the copy was exported
 */
export async function restoreDumpedTexts(copy: DatabaseSync, d1: D1Database): Promise<void> {
  const mendings: Mending[] = [];
  for (const table of tableNames(copy)) mendings.push(...(await mendingsOf(copy, d1, table)));
  if (mendings.length === 0) return;
  // Drops the triggers for this time: they would reject changes to the access log, or react to changes.
  const triggers = copy.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) copy.exec(`DROP TRIGGER ${quoteId(String(name))}`);
  for (const { sql, values } of mendings) copy.prepare(sql).run(...values);
  for (const { sql } of triggers) copy.exec(String(sql));
}

async function mendingsOf(copy: DatabaseSync, d1: D1Database, table: string): Promise<Mending[]> {
  const columns = copy.prepare('SELECT name, type, pk FROM pragma_table_info(?)').all(table);
  const keys = columns.filter(({ pk }) => pk !== 0).map(({ name }) => quoteId(String(name)));
  const texts = columns
    .filter(({ type }) => String(type).toUpperCase() === 'TEXT')
    .map(({ name }) => quoteId(String(name)));
  if (keys.length === 0) return [];
  const mendings: Mending[] = [];
  for (const text of texts) {
    const isAmbiguous = SPELLINGS.map(
      ([end, spelling]) =>
        `(instr(${text}, char(${end.charCodeAt(0)})) > 0 AND instr(${text}, '${spelling}') > 0)`,
    );
    const { results } = await d1
      .prepare(
        `SELECT json_array(${text}, ${keys.join(', ')}) AS "row" FROM ${quoteId(table)} WHERE ${isAmbiguous.join(' OR ')}`,
      )
      .all();
    const isRow = keys.map((key) => `${key} = ?`).join(' AND ');
    for (const { row } of rowsSchema.parse(results)) {
      const [exact, ...key] = cellsSchema.parse(JSON.parse(row));
      mendings.push({
        sql: `UPDATE ${quoteId(table)} SET ${text} = ? WHERE ${text} = ? AND ${isRow}`,
        values: [exact, ...[exact, ...key].map((cell) => (typeof cell === 'string' ? asDumped(cell) : cell))],
      });
    }
  }
  return mendings;
}
