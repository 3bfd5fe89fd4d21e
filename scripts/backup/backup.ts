/** `npm run backup [-- --remote] [--to <folder>]`: everything that the product keeps, in one proven file. */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import {
  addManifest,
  addObject,
  addObjectTable,
  compress,
  openArchive,
  quoted,
  tableNames,
} from './archive.ts';
import { openLocalStore } from './local-store.ts';
import { openRemoteStore } from './remote-store.ts';
import { noteSql, type BackupContent, type BackupNote, type Store } from './store.ts';
import { commandVariables, settings } from '../variables.ts';

/**
 * Writes an archive of the store into the folder, proves it by reading it back, and leaves word in the store of what
 * became of it.
 * @returns its path
 */
export async function backUp(store: Store, folder: string, say: (line: string) => void): Promise<string> {
  const at = new Date();
  try {
    const { archive, content } = await makeArchive(store, folder, at, say);
    await leaveWord(store, { at, content }, say);
    return archive;
  } catch (error) {
    await leaveWord(store, { at }, say);
    throw error;
  }
}

/** A store of an earlier version has no place for it yet: the backup is as good without. */
async function leaveWord(store: Store, note: BackupNote, say: (line: string) => void): Promise<void> {
  try {
    await store.noteBackup(note);
  } catch (error) {
    say(`the health page does not learn of it: ${error instanceof Error ? error.message : String(error)}`);
  }
}

type Archive = { archive: string; content: BackupContent };

async function makeArchive(
  store: Store,
  folder: string,
  madeAt: Date,
  say: (line: string) => void,
): Promise<Archive> {
  const name = `${store.name}-${madeAt.toISOString().slice(0, 19).replaceAll(':', '')}Z.sqlite.gz`;
  const workplace = mkdtempSync(join(tmpdir(), 'cps-lab-backup-'));
  try {
    const copy = join(workplace, 'copy.sqlite');
    let content: BackupContent;
    await store.copyDatabase(copy);
    const db = new DatabaseSync(copy);
    try {
      say('database copied');
      addObjectTable(db);
      await copyObjects(store, db, say);
      content = contentOfCopy(db, copy);
      // Whoever restores it finds that it was made, as the store itself will say.
      if (tableNames(db).includes('backups')) db.exec(noteSql({ at: madeAt, content }));
      addManifest(db, store.name, madeAt);
    } finally {
      db.close();
    }
    mkdirSync(folder, { recursive: true });
    const archive = join(folder, name);
    await compress(copy, archive);
    say('packed');
    const { db: proven, manifest } = await openArchive(archive, join(workplace, 'proof.sqlite'));
    proven.close();
    const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
    const megabytes = (statSync(archive).size / 1e6).toFixed(1);
    say(`proven: ${rows} rows, ${manifest.objects.count} files, ${megabytes} MB`);
    return { archive, content };
  } finally {
    rmSync(workplace, { recursive: true });
  }
}

function contentOfCopy(db: DatabaseSync, file: string): BackupContent {
  const countOf = (from: string) => Number(db.prepare(`SELECT count(*) AS n FROM ${from}`).get()?.['n']);
  const rows = tableNames(db).reduce((sum, name) => sum + countOf(quoted(name)), 0);
  return { rows, files: countOf('backup_objects'), bytes: statSync(file).size };
}

async function copyObjects(store: Store, db: DatabaseSync, say: (line: string) => void): Promise<void> {
  const keys = await store.objectKeys();
  const step = Math.max(1, Math.ceil(keys.length / 10));
  for (const [index, key] of keys.entries()) {
    const object = await store.readObject(key);
    if (object) addObject(db, object);
    if ((index + 1) % step === 0 || index + 1 === keys.length) say(`files ${index + 1} of ${keys.length}`);
  }
}

if (import.meta.main) {
  try {
    const { values } = parseArgs({
      options: { remote: { type: 'boolean', default: false }, to: { type: 'string', default: 'backups' } },
    });
    const store = values.remote
      ? await openRemoteStore()
      : await openLocalStore(settings(commandVariables).DATA_DIR);
    try {
      const archive = await backUp(store, values.to, (line) => console.log(`backup  ${line}`));
      console.log(archive);
    } finally {
      await store.close();
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
