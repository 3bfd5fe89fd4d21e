import { createHash, createHmac } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The databases, by the names of their bindings. */
export const DATABASES = ['DB', 'PLANTS_DB'] as const;
export type DatabaseName = (typeof DATABASES)[number];

const DATABASE_CLASS = 'miniflare-D1DatabaseObject';
export const localD1File = (dataDir: string, database: DatabaseName) =>
  join(dataDir, 'v3/d1', DATABASE_CLASS, fileOfObject(DATABASE_CLASS, trackedDatabaseId(database)));

/**
 * Opens a database of the local run, whether or not the product is running.
 * @throws Error when the data folder has none yet
 */
export function openLocalD1(
  dataDir: string,
  { database = 'DB', ...options }: { database?: DatabaseName; readOnly?: boolean } = {},
): DatabaseSync {
  const file = localD1File(dataDir, database);
  if (!existsSync(file)) throw new Error(`there is no database in ${dataDir} yet: run npm start once`);
  // The product may be writing: wait for it instead of failing.
  return new DatabaseSync(file, { ...options, timeout: 5000 });
}

export const hasLocalD1 = (dataDir: string, database: DatabaseName) =>
  existsSync(localD1File(dataDir, database));

/** Creates the databases that there are not yet, where the local run will look for them. */
export function ensureLocalD1(dataDir: string): void {
  for (const database of DATABASES) {
    if (hasLocalD1(dataDir, database)) continue;
    const file = localD1File(dataDir, database);
    mkdirSync(dirname(file), { recursive: true });
    const db = new DatabaseSync(file);
    db.exec('PRAGMA journal_mode = WAL');
    db.close();
  }
}

/** wrangler, which could read all of wrangler.toml, takes 100 MB of memory for that. */
function tracked(line: RegExp, what: string): string {
  const [, name] = line.exec(readFileSync('wrangler.toml', 'utf8')) ?? [];
  if (name === undefined) throw new Error(`wrangler.toml has no ${what}`);
  return name;
}

const trackedDatabaseId = (database: DatabaseName) =>
  tracked(
    new RegExp(String.raw`^binding = "${database}"\n(?:(?!\[).*\n)*?database_id = "(.+)"$`, 'm'),
    `line database_id = "…" of ${database}`,
  );

export const trackedBucketName = () => tracked(/^bucket_name = "(.+)"$/m, 'line bucket_name = "…"');

/** What miniflare calls the file of a database or bucket: workerd's id of the object that stands for it. */
export function fileOfObject(objectClass: string, name: string): string {
  const key = createHash('sha256').update(objectClass).digest();
  const short = (content: string | Uint8Array) =>
    createHmac('sha256', key).update(content).digest().subarray(0, 16);
  const ofName = short(name);
  return `${Buffer.concat([ofName, short(ofName)]).toString('hex')}.sqlite`;
}
