import { existsSync, globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { claimDataDir, releaseDataDir } from '../database/data-dir.ts';
import { LOCAL } from '../deployment-name.ts';
import {
  damageOf,
  DATABASES,
  ensureLocalD1,
  localD1File,
  openLocalD1,
  type DatabaseName,
} from '../database/local-d1.ts';
import { migrateLocal } from '../database/migrate-local.ts';
import { onPath } from '../../firmware-bridge/src/system-error.ts';
import { endDemo } from '../database/unfinished-demo.ts';
import {
  beginRestore,
  endRestore,
  isRestoreUnfinished,
  refuseUnfinishedRestore,
} from '../database/unfinished-restore.ts';
import { tableNames } from './archive.ts';
import { addPlants, partOf, type Part } from './both-databases.ts';
import { quoted } from './cells.ts';
import { onDiskOf } from './disk.ts';
import { openLocalFiles } from './local-files.ts';
import { drillSql, noteSql, type Store } from './store.ts';
import { workplaceOf } from './workplace.ts';

/**
 * The local run's data folder. Reading is possible while the product runs.
 * @param claim prevents the product from starting meanwhile; required for writing
 * @param setAside is told of databases that are damaged, and moves the folder away or throws; without it nobody looks
 * @throws Error when the folder to be read does not exist or holds half of a restore, or the folder to be written is in use
 */
export async function openLocalStore(
  dataDir: string,
  {
    claim = false,
    setAside,
  }: { claim?: boolean; setAside?: (folder: string, damage: string) => Promise<void> } = {},
): Promise<Store> {
  const folder = join(dataDir, 'v3');
  if (claim) await claimDataDir(dataDir);
  else if (!existsSync(folder)) throw new Error(`there is no data in ${dataDir}`);
  else refuseUnfinishedRestore(dataDir, LOCAL);
  try {
    const damage = setAside && damageIn(folder);
    if (damage !== undefined) await setAside?.(folder, damage);
    return await openIn(dataDir, folder, claim);
  } catch (error) {
    if (claim) releaseDataDir(dataDir);
    throw error;
  }
}

/** The first damaged database in the folder, and what is wrong with it. */
function damageIn(folder: string): string | undefined {
  for (const file of globSync(join(folder, '**/*.sqlite'))) {
    const damage = damageOf(file);
    if (damage !== undefined) return `${file}: ${damage}`;
  }
  return undefined;
}

async function openIn(dataDir: string, folder: string, claim: boolean): Promise<Store> {
  mkdirSync(folder, { recursive: true });
  if (claim) await onDiskOf(folder, () => ensureLocalD1(dataDir));
  const { close: closeFiles, ...objects } = openLocalFiles(folder, claim);
  const withDatabase = <T>(
    use: (db: DatabaseSync) => T,
    readOnly: boolean,
    database: DatabaseName = 'DB',
  ): T => {
    const db = openLocalD1(dataDir, { database, readOnly });
    try {
      return onPath(localD1File(dataDir, database), () => use(db));
    } finally {
      db.close();
    }
  };
  return {
    name: LOCAL,
    workplace: workplaceOf(dataDir, LOCAL),
    isUnfinished: () => isRestoreUnfinished(dataDir, LOCAL),
    beginRestore: (archive) => {
      beginRestore(dataDir, LOCAL, archive);
      // What the archive has takes the place of a half demo.
      endDemo(dataDir);
    },
    endRestore: () => endRestore(dataDir, LOCAL),
    ...objects,
    copyDatabases: async (to) => {
      withDatabase((db) => db.prepare('VACUUM INTO ?').run(to), true);
      const plants = localD1File(dataDir, 'PLANTS_DB');
      return onPath(plants, () => addPlants(to, plants));
    },
    rows: async (select, database = 'DB') => withDatabase((db) => db.prepare(select).all(), true, database),
    isEmpty: async () =>
      !DATABASES.some((database) => withDatabase(holdsRows, true, database)) &&
      (await objects.objectKeys()).length === 0,
    replaceDatabases: async (archive, file, plants) => {
      for (const database of DATABASES) {
        const part = partOf(archive, plants, database);
        withDatabase((db) => replaceTables(db, part, file), false, database);
      }
    },
    migrate: async () => migrateLocal(dataDir),
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

/** Runs in one transaction. Triggers are created last, so that they do not fire for restored rows. */
function replaceTables(db: DatabaseSync, { tables, counters, schema }: Part, file: string): void {
  db.exec('PRAGMA foreign_keys = OFF');
  db.prepare('ATTACH ? AS archive').run(file);
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const name of tableNames(db)) if (name !== 'sqlite_sequence') db.exec(`DROP TABLE ${quoted(name)}`);
    for (const { sql } of schema.filter(({ type }) => type === 'table')) db.exec(sql);
    for (const { archived, name } of tables)
      db.exec(`INSERT INTO main.${quoted(name)} SELECT * FROM archive.${quoted(archived)}`);
    // The counters last, because every INSERT, even of no rows, updates them.
    if (tableNames(db).includes('sqlite_sequence'))
      db.exec(`DELETE FROM main.sqlite_sequence;
        INSERT INTO main.sqlite_sequence (name, seq)
        SELECT ${counters.name}, seq FROM archive.sqlite_sequence WHERE ${counters.isOwn} ORDER BY rowid`);
    for (const { sql } of schema.filter(({ type }) => type !== 'table')) db.exec(sql);
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
