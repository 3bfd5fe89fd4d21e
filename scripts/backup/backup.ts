/** `npm run backup [-- --remote] [--to <folder>]`: everything that the product keeps, in one proven file. */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { addManifest, addObject, addObjectTable, compress, openArchive } from './archive.ts';
import { openLocalStore } from './local-store.ts';
import { openRemoteStore } from './remote-store.ts';
import type { Store } from './store.ts';
import { commandVariables, settings } from '../variables.ts';

/** Writes an archive of the store into the folder and proves it by reading it back. @returns its path */
export async function backUp(store: Store, folder: string, say: (line: string) => void): Promise<string> {
  const madeAt = new Date();
  const name = `${store.name}-${madeAt.toISOString().slice(0, 19).replaceAll(':', '')}Z.sqlite.gz`;
  const workplace = mkdtempSync(join(tmpdir(), 'cps-lab-backup-'));
  try {
    const copy = join(workplace, 'copy.sqlite');
    await store.copyDatabase(copy);
    const db = new DatabaseSync(copy);
    try {
      say('database copied');
      addObjectTable(db);
      await copyObjects(store, db, say);
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
    return archive;
  } finally {
    rmSync(workplace, { recursive: true });
  }
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
