import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { migrateFile } from '../migrate.ts';
import { claimDataDir, releaseDataDir } from '../data-dir.ts';
import { ensureLocalD1, openLocalD1 } from '../local-d1.ts';
import { schemaOf, tableNames } from './archive.ts';
import { quoted } from './cells.ts';
import { openLocalFiles } from './local-files.ts';
import { drillSql, noteSql, type Store } from './store.ts';
import { workplaceOf } from './workplace.ts';

/**
 * The local run's data folder. Reading is possible while the product runs.
 * @param claim prevents the product from starting meanwhile; required for writing
 * @throws Error when the folder to be read does not exist, or the folder to be written is in use
 */
export async function openLocalStore(dataDir: string, { claim = false } = {}): Promise<Store> {
  const folder = join(dataDir, 'v3');
  if (claim) await claimDataDir(dataDir);
  else if (!existsSync(folder)) throw new Error(`there is no data in ${dataDir}`);
  mkdirSync(folder, { recursive: true });
  if (claim) ensureLocalD1(dataDir);
  const { close: closeFiles, ...objects } = openLocalFiles(folder, claim);
  const withDatabase = <T>(use: (db: DatabaseSync) => T, readOnly: boolean): T => {
    const db = openLocalD1(dataDir, { readOnly });
    try {
      return use(db);
    } finally {
      db.close();
    }
  };
  return {
    name: 'local',
    workplace: workplaceOf(dataDir, 'local'),
    ...objects,
    copyDatabase: async (to) => {
      withDatabase((db) => db.prepare('VACUUM INTO ?').run(to), true);
    },
    rows: async (select) => withDatabase((db) => db.prepare(select).all(), true),
    isEmpty: async () => !withDatabase(holdsRows, true) && (await objects.objectKeys()).length === 0,
    replaceDatabase: async (archive, file) => withDatabase((db) => replaceTables(db, archive, file), false),
    migrate: async () => withDatabase((db) => migrateFile(db, 'migrations'), false),
    noteBackup: async (note) => withDatabase((db) => db.exec(noteSql(note)), false),
    noteDrill: async (note) => withDatabase((db) => db.exec(drillSql(note)), false),
    close: async () => {
      closeFiles();
      if (claim) releaseDataDir(dataDir);
    },
  };
}

function holdsRows(db: DatabaseSync): boolean {
  return tableNames(db)
    .filter((name) => name !== 'd1_migrations' && name !== 'sqlite_sequence')
    .some((name) => db.prepare(`SELECT 1 FROM ${quoted(name)} LIMIT 1`).get() !== undefined);
}

const isCounters = (table: string) => table === 'sqlite_sequence';

/** Runs in one transaction. Triggers are created last, so that they do not fire for restored rows. */
function replaceTables(db: DatabaseSync, archive: DatabaseSync, file: string): void {
  db.exec('PRAGMA foreign_keys = OFF');
  db.prepare('ATTACH ? AS archive').run(file);
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const name of tableNames(db)) if (!isCounters(name)) db.exec(`DROP TABLE ${quoted(name)}`);
    const schema = schemaOf(archive);
    for (const { sql } of schema.filter(({ type }) => type === 'table')) db.exec(sql);
    // The counters last, because every INSERT, even of no rows, updates them.
    for (const name of tableNames(archive).toSorted(
      (a, b) => Number(isCounters(a)) - Number(isCounters(b)),
    )) {
      if (isCounters(name)) db.exec('DELETE FROM main.sqlite_sequence');
      db.exec(`INSERT INTO main.${quoted(name)} SELECT * FROM archive.${quoted(name)}`);
    }
    for (const { sql } of schema.filter(({ type }) => type !== 'table')) db.exec(sql);
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
