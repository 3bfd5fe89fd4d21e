import { createHash, createHmac } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { REPAIR_STEPS } from '#contract/first-steps';
import { withErrorPath } from '../../firmware-bridge/src/system-error.ts';

/** The names of the databases' bindings. */
export const DATABASES = ['DB', 'PLANTS_DB'] as const;
export type DatabaseName = (typeof DATABASES)[number];

const DATABASE_CLASS = 'miniflare-D1DatabaseObject';
export const localD1File = (dataDir: string, database: DatabaseName) =>
  join(dataDir, 'v3/d1', DATABASE_CLASS, miniflareObjectFile(DATABASE_CLASS, localDatabaseId(database)));

/**
 * Opens a database of the local run. The product may be running.
 * @throws Error if the data folder has no such database yet
 */
export function openLocalD1(
  dataDir: string,
  { database = 'DB', ...options }: { database?: DatabaseName; readOnly?: boolean } = {},
): DatabaseSync {
  const file = localD1File(dataDir, database);
  if (!existsSync(file)) throw new Error(`there is no database in ${dataDir} yet: run npm start once`);
  // The product may be writing. SQLite then waits for up to five seconds.
  return withErrorPath(file, () => new DatabaseSync(file, { ...options, timeout: 5000 }));
}

/** Runs work on a database of the local run. @throws what the work throws; errors of SQLite name the file */
export function withLocalD1<T>(
  dataDir: string,
  options: { database: DatabaseName; readOnly?: boolean },
  work: (db: DatabaseSync) => T,
): T {
  const db = openLocalD1(dataDir, options);
  try {
    return withErrorPath(localD1File(dataDir, options.database), () => work(db));
  } finally {
    db.close();
  }
}

const BUCKET_CLASS = 'miniflare-R2BucketObject';
/** The file with the names of the objects in R2. Their content is in files beside it. */
export const localObjectNamesFile = (dataDir: string) =>
  join(dataDir, 'v3/r2', BUCKET_CLASS, miniflareObjectFile(BUCKET_CLASS, trackedBucketName()));

/** The databases that exist and that an archive would restore. Other files in the data folder are caches. */
const storesIn = (dataDir: string): { name: string; file: string }[] =>
  [
    ...DATABASES.map((name) => ({ name, file: localD1File(dataDir, name) })),
    { name: 'FILES', file: localObjectNamesFile(dataDir) },
  ].filter(({ file }) => existsSync(file));

/** The first start creates this file after all tables. So if the file exists, no database may be empty. */
const MADE_AFTERWARDS = 'cookie-secret';

type Damaged = { name: string; file: string; damage: string };

/** Finds a database that is missing or empty. Opening it would create the file and so hide this problem. */
function lostIn(dataDir: string): Damaged | undefined {
  if (!existsSync(join(dataDir, MADE_AFTERWARDS))) return undefined;
  const there = DATABASES.filter((name) => hasLocalD1(dataDir, name));
  const gone = there.length === 0 ? undefined : DATABASES.find((name) => !there.includes(name));
  if (gone !== undefined) return { name: gone, file: localD1File(dataDir, gone), damage: 'it is missing' };
  const emptied = storesIn(dataDir).find(({ file }) => statSync(file).size === 0);
  return emptied && { ...emptied, damage: 'it is empty' };
}

/**
 * The first damaged database, and what is wrong with it.
 * @param upTo in bytes: if a file is larger, it is only opened
 */
export function findDamagedDatabase(dataDir: string, upTo = Infinity): Damaged | undefined {
  const lost = lostIn(dataDir);
  if (lost !== undefined) return lost;
  for (const store of storesIn(dataDir)) {
    const damage = databaseDamage(store.file, upTo);
    if (damage !== undefined) return { ...store, damage };
  }
  return undefined;
}

/** @throws Error if a database is missing or empty */
export function refuseDamagedD1(dataDir: string): void {
  const lost = lostIn(dataDir);
  if (lost !== undefined)
    throw new Error(
      `the data folder ${dataDir} is damaged: ${lost.name}, ${lost.file}: ${lost.damage}. First step: ${REPAIR_STEPS.store(dataDir)}`,
    );
}

/** Files that are only Miniflare's caches. Miniflare creates them again. */
export const miniflareCachesIn = (dataDir: string): string[] =>
  globSync(['v3/{cache,do,ratelimit}/**/*.sqlite', 'v3/*/*/metadata.sqlite'], { cwd: dataDir }).map((file) =>
    join(dataDir, file),
  );

export const hasLocalD1 = (dataDir: string, database: DatabaseName) =>
  existsSync(localD1File(dataDir, database));

/** Creates the databases that are missing, in the files that Miniflare will open. */
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

/** SQLite's result codes CORRUPT and NOTADB. */
const DAMAGE_CODES = new Set([11, 26]);

/**
 * What is wrong with the content of a database file; undefined if nothing is.
 * @param upTo in bytes: a larger file is only opened, because reading a gigabyte takes seconds
 * @throws Error naming the file if it cannot be read
 */
export function databaseDamage(file: string, upTo = Infinity): string | undefined {
  try {
    return withErrorPath(file, () => {
      const db = new DatabaseSync(file);
      try {
        const size = db
          .prepare('SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size')
          .get();
        if (Number(size?.['size']) > upTo) return undefined;
        const result = String(db.prepare('PRAGMA quick_check(1)').get()?.['quick_check']);
        return result === 'ok' ? undefined : result.split('\n').join(' ');
      } finally {
        db.close();
      }
    });
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
    if (error instanceof Error && DAMAGE_CODES.has(code & 0xff)) return error.message;
    throw error;
  }
}

/** Searches wrangler.toml with a pattern, because wrangler needs 100 MB of memory to parse the file. */
const tracked = (line: RegExp) => line.exec(readFileSync('wrangler.toml', 'utf8'))?.[1];

function absent(what: string): never {
  throw new Error(`wrangler.toml has no ${what}`);
}

export const localDatabaseId = (database: DatabaseName): string =>
  tracked(new RegExp(String.raw`^binding = "${database}"\n(?:(?!\[).*\n)*?database_id = "(.+)"$`, 'm')) ??
  absent(`line database_id = "…" of ${database}`);

export const trackedBucketName = () => tracked(/^bucket_name = "(.+)"$/m) ?? absent('line bucket_name = "…"');

/** Miniflare's file name for a database or bucket, which is workerd's id of its Durable Object. */
export function miniflareObjectFile(objectClass: string, name: string): string {
  const key = createHash('sha256').update(objectClass).digest();
  const short = (content: string | Uint8Array) =>
    createHmac('sha256', key).update(content).digest().subarray(0, 16);
  const ofName = short(name);
  return `${Buffer.concat([ofName, short(ofName)]).toString('hex')}.sqlite`;
}
