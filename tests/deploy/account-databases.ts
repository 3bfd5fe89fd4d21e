import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileOfObject } from '../../scripts/local-d1.ts';

/*
 * D1 of the pretended account: files where the workers' own runtime looks for them, so that bindings and exports are the real ones.
 */

const DATABASE_CLASS = 'miniflare-D1DatabaseObject';

const databaseFile = (folder: string, uuid: string) =>
  join(folder, 'v3/d1', DATABASE_CLASS, fileOfObject(DATABASE_CLASS, uuid));

/** Opens one, which is made where there is none; others may have it open. */
export function openDatabaseFile(folder: string, uuid: string): DatabaseSync {
  const file = databaseFile(folder, uuid);
  mkdirSync(dirname(file), { recursive: true });
  const db = new DatabaseSync(file, { timeout: 5000 });
  db.exec('PRAGMA journal_mode = WAL');
  return db;
}

/** A database in the words of `wrangler d1 export`. */
export async function exported(folder: string, uuid: string): Promise<string> {
  // Loaded here, because every call of wrangler's stand-in would load it.
  const { convertV4MiniflareOptions, Miniflare } = await import('miniflare');
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: 'export default {}',
      resourcePersistencePath: join(folder, 'v3'),
      d1Databases: { DATABASE: uuid },
    }),
  );
  try {
    const d1 = await miniflare.getD1Database('DATABASE');
    const [lines = []] = await d1.prepare('PRAGMA miniflare_d1_export(?,?,?);').bind(0, 0).raw<string[]>();
    return lines.join('\n');
  } finally {
    await miniflare.dispose();
  }
}
