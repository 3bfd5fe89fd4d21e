import { visible } from '#contract/visible-text';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onPath } from '../../firmware-bridge/src/system-error.ts';
import { fileOfObject, trackedBucketName } from '../database/local-d1.ts';
import type { StoredObject } from './archive.ts';
import type { Store } from './store.ts';

/*
 * The local run's R2, read and written where miniflare keeps it: a table of names, and a file for each content. Through
 * wrangler's bindings it would take 300 MB of memory, as much as three backups.
 */

const BUCKET_CLASS = 'miniflare-R2BucketObject';

/** miniflare's own, so that it goes on with what was restored into an empty folder. Nothing here is sent in parts. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS _mf_objects (
    key TEXT PRIMARY KEY, blob_id TEXT, version TEXT NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL,
    uploaded INTEGER NOT NULL, checksums TEXT NOT NULL, http_metadata TEXT NOT NULL, custom_metadata TEXT NOT NULL
  )`;

type Files = Pick<Store, 'objectKeys' | 'readObject' | 'writeObject' | 'deleteObject'> & {
  close: () => void;
};

/** @param claimed whether this process may create what is not there yet */
export function openLocalFiles(folder: string, claimed: boolean): Files {
  const bucket = trackedBucketName();
  const blobs = join(folder, 'r2', bucket, 'blobs');
  const db = openNames(join(folder, 'r2', BUCKET_CLASS, fileOfObject(BUCKET_CLASS, bucket)), claimed);
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
      if (row['blob_id'] === null) throw new Error(`the file ${visible(key)} is stored in parts`);
      const content = contentIn(join(blobs, String(row['blob_id'])));
      return content && { key, type: typeIn(String(row['http_metadata'])), content };
    },
    writeObject: async ({ key, type, content }: StoredObject) => {
      if (!db) throw new Error('the data folder has no files yet');
      mkdirSync(blobs, { recursive: true });
      // As long as miniflare's: 32 random bytes and the time.
      const blob = `${randomBytes(32).toString('hex')}${Date.now().toString(16).padStart(16, '0')}`;
      writeFileSync(join(blobs, blob), content);
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

/** Undefined while nothing has ever been stored. */
function openNames(file: string, claimed: boolean): DatabaseSync | undefined {
  if (!claimed && !existsSync(file)) return undefined;
  mkdirSync(dirname(file), { recursive: true });
  // The product may be writing: wait for it instead of failing.
  return onPath(file, () => {
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
    // Replaced or deleted since its row was read.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function typeIn(metadata: string): string {
  const { contentType }: { contentType?: unknown } = Object(JSON.parse(metadata));
  return typeof contentType === 'string' ? contentType : 'application/octet-stream';
}
