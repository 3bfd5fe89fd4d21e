import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { ensureLocalD1, localD1File, openLocalD1 } from '../../scripts/local-d1.ts';
import { migrateFile } from '../../scripts/migrate.ts';
import { AFTER_THE_MOVE } from '../../scripts/plants-move.ts';
import { rowsSince } from './upgrade-rows.ts';

const migrations = readdirSync('migrations')
  .filter((name) => name.endsWith('.sql'))
  .sort();
const last = migrations.findIndex((name) => name.endsWith(AFTER_THE_MOVE));
export const lastMigration = migrations[last];
/** The tables that move. */
export const MOVED = [
  'plants',
  'plant_readings',
  'plant_rollups',
  'plant_states',
  'plant_removals',
  'plant_retention',
  'bridge_keys',
  'bridge_heartbeats',
];

/** A data folder of the version before, with rows in every table and many readings. */
export function laboratoryBefore(place: string, name: string, readings: number): string {
  const dataDir = join(place, name);
  const old = join(place, 'old');
  mkdirSync(old, { recursive: true });
  for (const migration of migrations.slice(0, last))
    copyFileSync(join('migrations', migration), join(old, migration));
  ensureLocalD1(dataDir);
  rmSync(localD1File(dataDir, 'PLANTS_DB'));
  const db = openLocalD1(dataDir);
  migrateFile(db, old);
  for (const migration of migrations.slice(0, last)) db.exec(rowsSince[migration] ?? '');
  db.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ? - 1)
     INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at, refused_time)
     SELECT 1 + i % 2, 1600000000000 + i * 60000, iif(i % 7 = 0, -9007199254740992, i), i % 1024, 1600000000000 + i, iif(i % 11 = 0, i, NULL) FROM n`,
  ).run(readings);
  db.close();
  return dataDir;
}

/** What tables have got since they stand in PLANTS_DB. */
const SINCE = new Set(['plant_group', 'boards_passed_over']);

const orderOf = (db: DatabaseSync, table: string) =>
  db
    .prepare('SELECT name FROM pragma_table_info(?) ORDER BY name')
    .all(table)
    .filter(({ name }) => !SINCE.has(String(name)))
    .map(({ name }) => `"${String(name)}"`);

/** Every row of what moves, in SQLite's own words. */
export function rowsIn(db: DatabaseSync): Record<string, unknown[]> {
  const words = (table: string) =>
    orderOf(db, table)
      .map((column) => `quote(${column})`)
      .join(" || ',' || ");
  return Object.fromEntries(
    MOVED.map((table) => [
      table,
      db
        .prepare(`SELECT ${words(table)} AS words FROM ${table} ORDER BY words`)
        .all()
        .map((row) => row['words']),
    ]),
  );
}
