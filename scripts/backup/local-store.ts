import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { claimDataDir, releaseDataDir, saveDataVersion, refuseNewerData } from '../database/data-dir.ts';
import { LOCAL } from '../deployment-name.ts';
import {
  findDamagedDatabase,
  refuseDamagedD1,
  DATABASES,
  ensureLocalD1,
  localD1File,
  withLocalD1,
  type DatabaseName,
  localObjectNamesFile,
  trackedBucketName,
} from '../database/local-d1.ts';
import { writeFileWithoutLock } from '../../firmware-bridge/src/files.ts';
import { migrateLocal } from '../database/migrate.ts';
import { withErrorPath } from '../../firmware-bridge/src/system-error.ts';
import {
  markDemoLoadEnded,
  markRestoreBegun,
  markRestoreEnded,
  isRestoreUnfinished,
  refuseUnfinishedRestore,
} from '../database/unfinished-restore.ts';
import { tableNames, type StoredObject } from './archive.ts';
import { addPlantsDatabase, archivePart, type ArchivePart } from './both-databases.ts';
import { quoteId } from './cells.ts';
import { withDiskFullError, workFolderOf } from './work-folder.ts';
import { drillOutcomeSql, backupOutcomeSql, type Store } from './store.ts';
import { printable } from '#contract/printable-text';
import { createHash, randomBytes } from 'node:crypto';

/**
 * Opens the local run's data folder. It can be read while the product runs.
 * @param claim keeps the product from starting meanwhile; required for writing
 * @param setAside is called if a database is damaged; it moves the folder away or throws. Without it nothing
 *   is checked
 * @throws Error if the folder to read is missing or half restored, or if the folder to write is in use
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
  else {
    refuseUnfinishedRestore(dataDir, LOCAL);
    refuseNewerData(dataDir);
    refuseDamagedD1(dataDir);
  }
  try {
    const found = setAside && findDamagedDatabase(dataDir);
    if (found !== undefined) await setAside?.(folder, `${found.file}: ${found.damage}`);
    return await openIn(dataDir, folder, claim);
  } catch (error) {
    if (claim) releaseDataDir(dataDir);
    throw error;
  }
}

async function openIn(dataDir: string, folder: string, claim: boolean): Promise<Store> {
  mkdirSync(folder, { recursive: true });
  if (claim) await withDiskFullError(folder, () => ensureLocalD1(dataDir));
  const { close: closeFiles, ...objects } = openLocalFiles(folder, claim);
  const withDatabase = <T>(work: (db: DatabaseSync) => T, readOnly: boolean, database: DatabaseName = 'DB') =>
    withLocalD1(dataDir, { database, readOnly }, work);
  return {
    name: LOCAL,
    workplace: workFolderOf(dataDir, LOCAL),
    isUnfinished: () => isRestoreUnfinished(dataDir, LOCAL),
    beginRestore: (archive, words) => {
      markRestoreBegun(dataDir, LOCAL, archive, words);
      // The archive replaces the demo data, even if a start has loaded only a part of the demo data.
      markDemoLoadEnded(dataDir);
    },
    endRestore: () => markRestoreEnded(dataDir, LOCAL),
    ...objects,
    copyDatabases: async (to) => {
      withDatabase((db) => db.prepare('VACUUM INTO ?').run(to), true);
      const plants = localD1File(dataDir, 'PLANTS_DB');
      return withErrorPath(plants, () => addPlantsDatabase(to, plants));
    },
    rows: async (select, database = 'DB') => withDatabase((db) => db.prepare(select).all(), true, database),
    isEmpty: async () =>
      !DATABASES.some((database) => withDatabase(holdsRows, true, database)) &&
      (await objects.objectKeys()).length === 0,
    replaceDatabases: async (archive, file, plants) => {
      for (const database of DATABASES) {
        const part = archivePart(archive, plants, database);
        withDatabase((db) => replaceTables(db, part, file), false, database);
      }
    },
    migrate: async () => {
      saveDataVersion(dataDir);
      return migrateLocal(dataDir);
    },
    noteBackup: async (note) => withDatabase((db) => db.exec(backupOutcomeSql(note)), false),
    noteDrill: async (note) => withDatabase((db) => db.exec(drillOutcomeSql(note)), false),
    close: async () => {
      closeFiles();
      if (claim) releaseDataDir(dataDir);
    },
  };
}

function holdsRows(db: DatabaseSync): boolean {
  return tableNames(db)
    .filter((name) => name !== 'd1_migrations' && name !== 'sqlite_sequence')
    .some((name) => db.prepare(`SELECT 1 FROM ${quoteId(name)} LIMIT 1`).get() !== undefined);
}

/** Replaces all tables in one transaction. Triggers come last: they must not fire for the restored rows. */
function replaceTables(db: DatabaseSync, { tables, counters, schema }: ArchivePart, file: string): void {
  db.exec('PRAGMA foreign_keys = OFF');
  db.prepare('ATTACH ? AS archive').run(file);
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const name of tableNames(db)) if (name !== 'sqlite_sequence') db.exec(`DROP TABLE ${quoteId(name)}`);
    for (const { sql } of schema.filter(({ type }) => type === 'table')) db.exec(sql);
    for (const { archived, name } of tables)
      db.exec(`INSERT INTO main.${quoteId(name)} SELECT * FROM archive.${quoteId(archived)}`);
    // The counters come last, because every INSERT updates them, even an INSERT of no rows.
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

/*
 * Reads and writes the local run's R2 in Miniflare's own files: a table with the names, and one file for each
 * content. wrangler's bindings would need 300 MB of memory, three times as much as a backup.
 */

/** The same table as Miniflare's, so that Miniflare can read restored files, but no multipart uploads. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS _mf_objects (
    key TEXT PRIMARY KEY, blob_id TEXT, version TEXT NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL,
    uploaded INTEGER NOT NULL, checksums TEXT NOT NULL, http_metadata TEXT NOT NULL, custom_metadata TEXT NOT NULL
  )`;

type Files = Pick<Store, 'objectKeys' | 'readObject' | 'writeObject' | 'deleteObject'> & {
  close: () => void;
};

/** @param claimed whether this process has claimed the folder, and so may create files that are missing */
export function openLocalFiles(folder: string, claimed: boolean): Files {
  const bucket = trackedBucketName();
  const blobs = join(folder, 'r2', bucket, 'blobs');
  const db = openNames(localObjectNamesFile(dirname(folder)), claimed);
  const rowOf = db?.prepare('SELECT blob_id, http_metadata FROM _mf_objects WHERE key = ?');
  const blobOf = (key: string) => rowOf?.get(key)?.['blob_id'];
  const removeBlob = (blob: unknown) => {
    if (typeof blob === 'string') rmSync(join(blobs, blob), { force: true });
  };
  return {
    objectKeys: async () => {
      const rows = db?.prepare('SELECT key FROM _mf_objects ORDER BY key').all() ?? [];
      return rows.map(({ key }) => String(key));
    },
    readObject: async (key) => {
      const row = rowOf?.get(key);
      if (!row) return undefined;
      if (row['blob_id'] === null) throw new Error(`the stored file ${printable(key)} is split into parts`);
      const content = contentIn(join(blobs, String(row['blob_id'])));
      return content && { key, type: typeIn(String(row['http_metadata'])), content };
    },
    writeObject: async ({ key, type, content }: StoredObject) => {
      if (!db) throw new Error('the data folder has no files yet');
      mkdirSync(blobs, { recursive: true });
      // The name in Miniflare's format: 32 random bytes and the time.
      const blob = `${randomBytes(32).toString('hex')}${Date.now().toString(16).padStart(16, '0')}`;
      writeFileWithoutLock(join(blobs, blob), content);
      const old = blobOf(key);
      db.prepare(`INSERT OR REPLACE INTO _mf_objects VALUES (?, ?, ?, ?, ?, ?, '{}', ?, '{}')`).run(
        key,
        blob,
        randomBytes(16).toString('hex'),
        content.length,
        createHash('md5').update(content).digest('hex'),
        Date.now(),
        JSON.stringify({ contentType: type }),
      );
      removeBlob(old);
    },
    deleteObject: async (key) => {
      const old = blobOf(key);
      db?.prepare('DELETE FROM _mf_objects WHERE key = ?').run(key);
      removeBlob(old);
    },
    close: () => db?.close(),
  };
}

/** Opens the table of names; undefined if no file was ever stored. */
function openNames(file: string, claimed: boolean): DatabaseSync | undefined {
  if (!claimed && !existsSync(file)) return undefined;
  mkdirSync(dirname(file), { recursive: true });
  // The product may be writing. Wait for that instead of failing.
  return withErrorPath(file, () => {
    const db = new DatabaseSync(file, { timeout: 5000 });
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${TABLES}`);
    return db;
  });
}

function contentIn(file: string): Uint8Array | undefined {
  try {
    const content = readFileSync(file);
    return new Uint8Array(content.buffer, content.byteOffset, content.length);
  } catch (error) {
    // The product has replaced or deleted the file after its row was read.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function typeIn(metadata: string): string {
  const { contentType }: { contentType?: unknown } = Object(JSON.parse(metadata));
  return typeof contentType === 'string' ? contentType : 'application/octet-stream';
}
