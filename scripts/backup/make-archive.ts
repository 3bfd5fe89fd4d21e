import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { explainError } from '../../firmware-bridge/src/system-error.ts';
import { makeFolder } from '../../firmware-bridge/src/files.ts';
import {
  addManifest,
  objectInserter,
  addObjectTable,
  compressAndVerify,
  unpackArchive,
  tableNames,
} from './archive.ts';
import { quoteId } from './cells.ts';
import { withDiskFullError, withWorkFolder } from './work-folder.ts';
import { deleteUnfinishedArchives } from './prune.ts';
import { createEncryption, type ArchiveEncryption } from './encryption.ts';
import { dataDirOf, backupOutcomeSql, type BackupContent, type BackupOutcome, type Store } from './store.ts';

/** `say` gets what was done. `begin` gets the name of the step that starts. */
type Listener = { say: (line: string) => void; begin: (step: string) => void };

/**
 * Writes an archive of the store into the folder, encrypted if there is a `seal`. Then reads the archive to
 * verify it, and records the outcome in the store. @returns the archive's path
 * @throws Error if a step fails. If another process backs up the same store, no failure is recorded
 */
export function createBackup(
  store: Store,
  folder: string,
  listener: Listener,
  seal?: ArchiveEncryption,
): Promise<string> {
  return withWorkFolder(store.workplace, async (workplace) => {
    const at = new Date();
    try {
      const places = { folder, workplace, at, seal };
      const { archive, content } = await withDiskFullError(workplace, () =>
        makeArchive(store, places, listener),
      );
      await leaveWord(store, { at, content }, listener);
      return archive;
    } catch (error) {
      await leaveWord(store, { at }, listener);
      throw error;
    }
  });
}

/** Records the backup for the health page. If this fails, the backup is valid nevertheless. */
async function leaveWord(store: Store, note: BackupOutcome, { say, begin }: Listener): Promise<void> {
  begin('recording the result for the health page');
  try {
    await store.noteBackup(note);
  } catch (error) {
    say(`the health page does not show this backup: ${explainError(error)}`);
  }
}

type Archive = { archive: string; content: BackupContent };
type Places = { folder: string; workplace: string; at: Date; seal: ArchiveEncryption | undefined };

async function makeArchive(
  store: Store,
  { folder, workplace, at, seal }: Places,
  listener: Listener,
): Promise<Archive> {
  const { say, begin } = listener;
  const sealed = seal && (await createEncryption(seal));
  const ending = sealed ? '.age' : '';
  const name = `${store.name}-${at.toISOString().slice(0, 19).replaceAll(':', '')}Z.sqlite.gz${ending}`;
  const copy = join(workplace, 'copy');
  let content: BackupContent;
  let author: string;
  begin('copying the databases');
  const plants = await store.copyDatabases(copy);
  const db = new DatabaseSync(copy);
  try {
    if (tableNames(db).length === 0)
      throw new Error(
        `${store.name} has no tables yet, so there is nothing to back up: start the product once`,
      );
    say('databases copied');
    addObjectTable(db);
    begin('copying the files');
    await copyObjects(store, db, say);
    begin('writing the manifest');
    // The archive contains its own record, so that a restored store has the record too.
    db.exec(backupOutcomeSql({ at, content: contentOfCopy(db, copy) }));
    content = contentOfCopy(db, copy);
    const { rows: all, bytes } = content;
    db.prepare('UPDATE backups SET rows = ?, bytes = ? WHERE id = last_insert_rowid()').run(all, bytes);
    author = addManifest(db, { source: store.name, at, plants, dataDir: dataDirOf(store) });
  } finally {
    db.close();
  }
  begin('packing');
  const archive = join(folder, name);
  const prove = async (unfinished: string) => {
    say('packed');
    begin('verifying the archive');
    const proof = join(workplace, 'proof');
    const proven = await withDiskFullError(workplace, () => unpackArchive(unfinished, proof, sealed?.proof));
    proven.db.close();
    return proven.manifest;
  };
  const { tables, objects } = await withDiskFullError(folder, async () => {
    makeFolder(folder);
    deleteUnfinishedArchives(folder, store.name, at);
    return await compressAndVerify(copy, archive, prove, sealed?.through);
  });
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  const megabytes = (statSync(archive).size / 1e6).toFixed(1);
  say(`verified: ${rows} rows, ${objects.count} files, ${megabytes} MB`);
  say(`signed by ${author}: write this name down, away from the archives: restores elsewhere ask for it`);
  if (!sealed)
    say('not encrypted: anybody with the archive can read names, phone numbers and keys of bridges');
  return { archive, content };
}

function contentOfCopy(db: DatabaseSync, file: string): BackupContent {
  const countOf = (from: string) => Number(db.prepare(`SELECT count(*) AS n FROM ${from}`).get()?.['n']);
  const rows = tableNames(db).reduce((sum, name) => sum + countOf(quoteId(name)), 0);
  return { rows, files: countOf('backup_objects'), bytes: statSync(file).size };
}

async function copyObjects(store: Store, db: DatabaseSync, say: (line: string) => void): Promise<void> {
  const keys = await store.objectKeys();
  const step = Math.max(1, Math.ceil(keys.length / 10));
  const add = objectInserter(db);
  // Without one transaction for all files, each file would wait for the disk.
  db.exec('BEGIN');
  for (const [index, key] of keys.entries()) {
    const object = await store.readObject(key);
    if (object) add(object);
    if ((index + 1) % step === 0 || index + 1 === keys.length) say(`file ${index + 1} of ${keys.length}`);
  }
  db.exec('COMMIT');
}
