import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Opens the local run's database, whether or not the product is running.
 * @throws Error when the data folder has none yet
 */
export function openLocalD1(dataDir: string, options: { readOnly?: boolean } = {}): DatabaseSync {
  const folder = join(dataDir, 'v3/d1/miniflare-D1DatabaseObject');
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const file = files.find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name));
  if (file === undefined) throw new Error(`there is no database in ${dataDir} yet: run npm start once`);
  // The product may be writing: wait for it instead of failing.
  return new DatabaseSync(join(folder, file), { ...options, timeout: 5000 });
}
