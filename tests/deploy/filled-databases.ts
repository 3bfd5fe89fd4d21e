import type { D1Database } from '@cloudflare/workers-types';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect } from 'vitest';
import type { DatabaseName } from '../../scripts/database/local-d1.ts';
import { migrate, MIGRATION_FOLDERS } from '../../scripts/database/migrate.ts';
import { rowsSince } from './upgrade-rows.ts';

/** The migrations of a database. */
export const migrationsOf = (database: DatabaseName): string[] =>
  readdirSync(MIGRATION_FOLDERS[database])
    .filter((name) => name.endsWith('.sql'))
    .sort();

/** Migrates an empty database and fills it with what each migration has rows for. */
export async function fill(db: D1Database, database: DatabaseName): Promise<void> {
  await migrate(db, MIGRATION_FOLDERS[database]);
  for (const name of migrationsOf(database)) await run(db, rowsSince[database][name] ?? '');
}

/** A folder of a test file, and D1 databases of these names; both go after its tests. */
export function databasesApart(names: string[]) {
  const place = mkdtempSync(join(tmpdir(), 'cps-lab-filled-'));
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: '',
      compatibilityDate: '2026-10-23',
      d1Databases: Object.fromEntries(names.map((name) => [name, name])),
    }),
  );
  beforeAll(() => miniflare.ready, 60_000);
  afterAll(async () => {
    await miniflare.dispose();
    rmSync(place, { recursive: true });
  });
  return {
    place,
    database: (name: string) => miniflare.getD1Database(name),
  };
}

/** Runs statements one by one: each ends with `;` at the end of its line. */
export async function run(db: D1Database, sql: string): Promise<void> {
  const statements = sql.split(/;\s*$/m).filter((statement) => statement.trim() !== '');
  if (statements.length > 0) await db.batch(statements.map((statement) => db.prepare(statement)));
}

export type Tables = Record<string, Record<string, unknown[]>>;

/**
 * Every table as its columns, each with the values of all rows in the order of the key; `sqlite_sequence` as the
 * counters of tables with AUTOINCREMENT.
 */
export async function contents(db: D1Database): Promise<Tables> {
  const { results: columns } = await db
    .prepare(
      `SELECT tables.name AS place, info.name, pk FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS info
       WHERE tables.type = 'table' AND NOT tables.name GLOB '_cf_*' AND NOT tables.name GLOB 'sqlite_*' AND tables.name <> 'd1_migrations'
       ORDER BY place, pk, cid`,
    )
    .all<{ place: string; name: string; pk: number }>();
  const byTable = Object.entries(Object.groupBy(columns, ({ place }) => place));
  const selects = byTable.map(([table, all = []]) => {
    const key = all.filter(({ pk }) => pk > 0).map(({ name }) => `"${name}"`);
    return db.prepare(`SELECT * FROM "${table}" ORDER BY ${key.join(', ')}`);
  });
  const answers = await db.batch<Record<string, unknown>>(selects);
  const { results: counters } = await db
    .prepare("SELECT name, seq FROM sqlite_sequence WHERE seq > 0 AND name <> 'd1_migrations' ORDER BY name")
    .all<{ name: string; seq: number }>();
  const rows = Object.fromEntries(
    byTable.map(([table, all = []], index) => [
      table,
      Object.fromEntries(
        all.map(({ name }) => [name, answers[index]?.results.map((row) => row[name]) ?? []]),
      ),
    ]),
  );
  return { ...rows, sqlite_sequence: Object.fromEntries(counters.map(({ name, seq }) => [name, [seq]])) };
}

export const SCHEMA = "SELECT name, sql FROM sqlite_schema WHERE name NOT GLOB '_cf_*' ORDER BY name";
export const schema = async (db: D1Database) => (await db.prepare(SCHEMA).all()).results;

export const columnsOf = (tables: Tables) =>
  Object.entries(tables).flatMap(([table, columns]) =>
    Object.entries(columns).map(([column, values]) => ({ place: `${table}.${column}`, values })),
  );

export async function expectWholeKeys(db: D1Database): Promise<void> {
  expect((await db.prepare('PRAGMA foreign_key_check').all()).results).toEqual([]);
}
