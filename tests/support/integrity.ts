import type { D1Database } from '@cloudflare/workers-types';
import { expect } from 'vitest';

/**
 * Checks the same as PRAGMA integrity_check, which D1 does not allow: structure, references, and that each
 * index has as many rows as its table.
 */
export async function expectIntegrity(db: D1Database): Promise<void> {
  const resultsOf = async (sql: string) => (await db.prepare(sql).all<Record<string, string>>()).results;
  expect(await resultsOf('PRAGMA quick_check')).toEqual([{ quick_check: 'ok' }]);
  expect(await resultsOf('PRAGMA foreign_key_check')).toEqual([]);
  const indexes = await resultsOf(
    `SELECT name, tbl_name FROM sqlite_schema
     WHERE type = 'index' AND (sql IS NULL OR sql NOT LIKE '% WHERE %') AND tbl_name NOT GLOB '_cf_*'`,
  );
  for (const { name, tbl_name } of indexes) {
    const sql = `SELECT (SELECT count(*) FROM "${tbl_name}" INDEXED BY "${name}") = (SELECT count(*) FROM "${tbl_name}" NOT INDEXED) AS same`;
    expect(await resultsOf(sql), name).toEqual([{ same: 1 }]);
  }
  expect(indexes.length).toBeGreaterThan(4);
}
