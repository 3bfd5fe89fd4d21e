/** `npm run restore -- <archive> [--remote] [--overwrite <name>]`: puts back what `npm run backup` wrote. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { openArchive, proveTables, sha256, type Manifest } from './archive.ts';
import { openLocalStore } from './local-store.ts';
import { openRemoteStore } from './remote-store.ts';
import type { Store } from './store.ts';
import { commandVariables, settings } from '../variables.ts';

type Options = {
  archive: string;
  /** The store's own name, where it may be overwritten. */
  overwrite: string | undefined;
  say: (line: string) => void;
};

/**
 * Proves the archive, then replaces what the store holds, then proves the store.
 * @throws Error before anything is touched when the archive is damaged or the store may not be overwritten
 */
export async function restore(store: Store, { archive, overwrite, say }: Options): Promise<Manifest> {
  const workplace = mkdtempSync(join(tmpdir(), 'cps-lab-restore-'));
  const file = join(workplace, 'archive.sqlite');
  try {
    const { db, manifest } = await openArchive(archive, file);
    try {
      say(`archive of ${manifest.source} at ${manifest.madeAt} is whole`);
      if (overwrite !== store.name && !(await store.isEmpty())) {
        throw new Error(`${store.name} holds data: add --overwrite ${store.name} to replace all of it`);
      }
      // The files first: a database that names what is not there would be worse than files that nobody names.
      const { count } = manifest.objects;
      const step = Math.max(1, Math.ceil(count / 10));
      for (const [index, { key, type, content }] of objectsIn(db)) {
        await store.writeObject({ key, type, content });
        if ((index + 1) % step === 0 || index + 1 === count) say(`files ${index + 1} of ${count}`);
      }
      await store.replaceDatabase(db, file);
      const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
      say(`database: ${rows} rows in ${Object.keys(manifest.tables).length} tables`);
      await removeOtherObjects(store, db);
      await proveStore(store, db, manifest, join(workplace, 'proof.sqlite'));
      say('every table and file is as in the archive');
      for (const name of await store.migrate()) say(`migrated ${name}`);
      return manifest;
    } finally {
      db.close();
    }
  } finally {
    rmSync(workplace, { recursive: true });
  }
}

function* objectsIn(db: DatabaseSync) {
  let index = 0;
  for (const { key, type, content } of db
    .prepare('SELECT key, type, content FROM backup_objects')
    .iterate()) {
    if (!(content instanceof Uint8Array)) throw new Error(`the file ${String(key)} has no content`);
    yield [index++, { key: String(key), type: String(type), content }] as const;
  }
}

async function removeOtherObjects(store: Store, db: DatabaseSync): Promise<void> {
  const isArchived = db.prepare('SELECT 1 FROM backup_objects WHERE key = ?');
  for (const key of await store.objectKeys()) if (!isArchived.get(key)) await store.deleteObject(key);
}

async function proveStore(store: Store, db: DatabaseSync, manifest: Manifest, file: string): Promise<void> {
  await store.copyDatabase(file);
  const copy = new DatabaseSync(file, { readOnly: true });
  try {
    proveTables(copy, manifest);
  } finally {
    copy.close();
  }
  for (const { key, sha256: expected } of db.prepare('SELECT key, sha256 FROM backup_objects').iterate()) {
    const object = await store.readObject(String(key));
    if (!object || sha256(object.content) !== expected)
      throw new Error(`the file ${String(key)} did not arrive`);
  }
}

if (import.meta.main) {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { remote: { type: 'boolean', default: false }, overwrite: { type: 'string' } },
    });
    const [archive] = positionals;
    if (archive === undefined)
      throw new Error('usage: npm run restore -- <archive> [--remote] [--overwrite <name>]');
    const store = values.remote
      ? await openRemoteStore()
      : await openLocalStore(settings(commandVariables).DATA_DIR, { claim: true });
    try {
      await restore(store, {
        archive,
        overwrite: values.overwrite,
        say: (line) => console.log(`restore ${line}`),
      });
    } finally {
      await store.close();
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
