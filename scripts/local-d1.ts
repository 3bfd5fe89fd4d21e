import { createHash, createHmac } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const DATABASE_CLASS = 'miniflare-D1DatabaseObject';
const folderOf = (dataDir: string) => join(dataDir, 'v3/d1', DATABASE_CLASS);

/** The file of the local run's database; undefined when the data folder has none yet. */
function databaseIn(dataDir: string): string | undefined {
  const folder = folderOf(dataDir);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const file = files.find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name));
  return file && join(folder, file);
}

/**
 * Opens the local run's database, whether or not the product is running.
 * @throws Error when the data folder has none yet
 */
export function openLocalD1(dataDir: string, options: { readOnly?: boolean } = {}): DatabaseSync {
  const file = databaseIn(dataDir);
  if (file === undefined) throw new Error(`there is no database in ${dataDir} yet: run npm start once`);
  // The product may be writing: wait for it instead of failing.
  return new DatabaseSync(file, { ...options, timeout: 5000 });
}

/** Creates the database, if there is none, where the local run will look for it. */
export function ensureLocalD1(dataDir: string): void {
  if (databaseIn(dataDir) !== undefined) return;
  mkdirSync(folderOf(dataDir), { recursive: true });
  const name = fileOfObject(DATABASE_CLASS, trackedName('database_id'));
  const db = new DatabaseSync(join(folderOf(dataDir), name));
  db.exec('PRAGMA journal_mode = WAL');
  db.close();
}

/** A name in wrangler.toml. wrangler, which could read all of it, takes 100 MB of memory for that. */
export function trackedName(field: 'database_id' | 'bucket_name'): string {
  const [, name] = new RegExp(`^${field} = "(.+)"$`, 'm').exec(readFileSync('wrangler.toml', 'utf8')) ?? [];
  if (name === undefined) throw new Error(`wrangler.toml has no line ${field} = "…"`);
  return name;
}

/** What miniflare calls the file of a database or bucket: workerd's id of the object that stands for it. */
export function fileOfObject(objectClass: string, name: string): string {
  const key = createHash('sha256').update(objectClass).digest();
  const short = (content: string | Uint8Array) =>
    createHmac('sha256', key).update(content).digest().subarray(0, 16);
  const ofName = short(name);
  return `${Buffer.concat([ofName, short(ofName)]).toString('hex')}.sqlite`;
}
