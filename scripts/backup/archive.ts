import { printable } from '#contract/printable-text';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import * as z from 'zod';
import { releaseSchema, VERSION } from '#contract/release';
import { newerVersionProblem } from '../database/data-dir.ts';
import { verifiedSigner, signManifest } from './author.ts';
import { hashedRows, quoteId } from './cells.ts';
import { writeLargeFile } from '../../firmware-bridge/src/files.ts';
import { passThrough, isEncryptedArchive, createDecryption, type ArchiveKeys } from './encryption.ts';

/*
 * An archive is a gzipped SQLite file. It has all tables of the product unchanged, all stored files in
 * `backup_objects`, and the hashes of both in `backup_manifest`. `gunzip` and `sqlite3` can open an archive
 * without this program; an encrypted archive must first be decrypted with `age`.
 */

/** Formats 1 to 3 were never released. */
const FORMAT = 4;

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** The version of the product that made the archive; absent in the first archives by 0.1.0. */
  version: releaseSchema.optional(),
  /** When the archive was made: ISO 8601, UTC. */
  madeAt: z.iso.datetime(),
  /** The name of the store that was backed up. */
  source: z.string(),
  /** The SHA-256 of all CREATE statements. */
  schema: z.string(),
  tables: z.record(z.string(), z.object({ rows: z.int(), sha256: z.string() })),
  /** The names of PLANTS_DB's tables. */
  plants: z.array(z.string()),
  objects: z.object({ count: z.int(), sha256: z.string() }),
});
export type Manifest = z.infer<typeof manifestSchema>;

const signatureSchema = z.object({ author: z.string(), signature: z.string() });

/** One of the product's stored files, such as a student's picture. */
export type StoredObject = { key: string; type: string; content: Uint8Array };

/** The names of all tables of the product, with sqlite_sequence and the tables of applied migrations. */
export function tableNames(db: DatabaseSync): string[] {
  const names = db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'backup\\_%' ESCAPE '\\' ORDER BY name",
    )
    .all();
  return names.map(({ name }) => String(name)).filter((name) => !/^(_cf_|sqlite_(?!sequence$))/.test(name));
}

/** All CREATE statements in an order in which they work: tables, indexes, then views and triggers. */
export function schemaStatements(db: DatabaseSync): { type: string; table: string; sql: string }[] {
  const known = new Set(tableNames(db));
  return db
    .prepare(
      `SELECT type, tbl_name AS "table", sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 ELSE 2 END, name`,
    )
    .all()
    .map(({ type, table, sql }) => ({ type: String(type), table: String(table), sql: String(sql) }))
    .filter(({ table }) => known.has(table));
}

/** The number of rows of a table, and the SHA-256 of all their values in the order of the key. */
export function tableDigest(db: DatabaseSync, table: string): { rows: number; sha256: string } {
  const columns = db.prepare('SELECT name, pk FROM pragma_table_info(?) ORDER BY pk, cid').all(table);
  const keys = columns.filter(({ pk }) => pk !== 0).map(({ name }) => quoteId(String(name)));
  // Sorts the columns: the hash must not depend on the order in which migrations have added them.
  const values = columns.map(({ name }) => quoteId(String(name))).toSorted();
  return hashRows(hashedRows(db, table, values, `ORDER BY ${keys.length > 0 ? keys.join(', ') : 'rowid'}`));
}

/** The number of stored files, and the SHA-256 of their keys, types and content. */
function objectsOf(db: DatabaseSync): { count: number; sha256: string } {
  const { rows, sha256 } = hashRows(
    hashedRows(db, 'backup_objects', ['key', 'type', 'sha256', 'length(content)'], 'ORDER BY key'),
  );
  return { count: rows, sha256 };
}

function hashRows(texts: Iterable<{ rows: number; text: string }>): { rows: number; sha256: string } {
  const hash = createHash('sha256');
  let count = 0;
  for (const { rows, text } of texts) {
    hash.update(text);
    count += rows;
  }
  return { rows: count, sha256: hash.digest('hex') };
}

const hashOfSchema = (db: DatabaseSync) =>
  sha256(
    schemaStatements(db)
      .map(({ sql }) => sql)
      .join(';\n'),
  );

export const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');

/** Adds a table for stored files to the copy of the databases. */
export function addObjectTable(db: DatabaseSync): void {
  db.exec(
    'CREATE TABLE backup_objects (key TEXT PRIMARY KEY, type TEXT NOT NULL, sha256 TEXT NOT NULL, content BLOB NOT NULL) STRICT',
  );
}

/** @returns a function that adds a stored file to the table */
export function objectInserter(db: DatabaseSync): (object: StoredObject) => void {
  const insert = db.prepare('INSERT INTO backup_objects VALUES (?, ?, ?, ?)');
  return ({ key, type, content }) => void insert.run(key, type, sha256(content), content);
}

/**
 * Sorts the rows of sqlite_sequence: first those for DB's tables, then those for PLANTS_DB's. The hash of
 * sqlite_sequence depends on this order.
 */
export function sortCounters(db: DatabaseSync, plants: readonly string[]): void {
  const names = plants.map((name) => `'${name.replaceAll("'", "''")}'`).join(', ');
  db.exec(`CREATE TEMP TABLE counters AS SELECT rowid AS place, name, seq FROM main.sqlite_sequence;
    DELETE FROM main.sqlite_sequence;
    INSERT INTO main.sqlite_sequence (name, seq) SELECT name, seq FROM temp.counters ORDER BY name IN (${names}), place;
    DROP TABLE temp.counters`);
}

/** How the manifest's table is created: now, and in version 0.1.0. */
export const MANIFEST_TABLES = [
  'CREATE TABLE backup_manifest (manifest TEXT NOT NULL, author TEXT NOT NULL, signature TEXT NOT NULL) STRICT',
  'CREATE TABLE backup_manifest (manifest TEXT NOT NULL) STRICT',
] as const;

type Made = { source: string; at: Date; plants: string[]; dataDir: string };

/**
 * Writes a manifest of the copy's content and signs it with the data folder's key.
 * @returns the author's name
 */
export function addManifest(db: DatabaseSync, { source, at: madeAt, plants, dataDir }: Made): string {
  sortCounters(db, plants);
  const manifest: Manifest = {
    format: FORMAT,
    version: VERSION,
    plants,
    madeAt: madeAt.toISOString(),
    source,
    schema: hashOfSchema(db),
    tables: Object.fromEntries(tableNames(db).map((name) => [name, tableDigest(db, name)])),
    objects: objectsOf(db),
  };
  const text = JSON.stringify(manifest);
  const { author, signature } = signManifest(dataDir, text);
  db.exec(MANIFEST_TABLES[0]);
  db.prepare('INSERT INTO backup_manifest VALUES (?, ?, ?)').run(text, author, signature);
  return verifiedSigner(text, { author, signature });
}

/** Compresses the file. @param prove verifies the compressed file before it gets its name */
export const compressAndVerify = <T>(
  from: string,
  to: string,
  prove: (unfinished: string) => Promise<T>,
  seal = passThrough,
): Promise<T> =>
  writeLargeFile(
    to,
    (written) => pipeline(createReadStream(from), createGzip({ level: 6 }), seal, written),
    prove,
  );

type Proven = { manifest: Manifest; author: string };
type Opened = Proven & { db: DatabaseSync };

/**
 * Unpacks an archive into the file `to` and verifies everything: the encryption if there is one, the gzip
 * checksum, the database's integrity, and each table and stored file against the manifest.
 * @throws Error naming what is wrong; only `to` was written
 */
export async function unpackArchive(file: string, to: string, keys: ArchiveKeys = {}): Promise<Opened> {
  try {
    const opened = isEncryptedArchive(file) ? createDecryption(keys) : passThrough;
    await pipeline(createReadStream(file), opened, createGunzip(), createWriteStream(to, { mode: 0o600 }));
  } catch (error) {
    throw new Error(`the archive cannot be unpacked: ${unpackingReason(error)}`, { cause: error });
  }
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(to, { readOnly: true });
    return { db, ...prove(db) };
  } catch (error) {
    db?.close();
    if (error instanceof OtherVersion) throw error;
    throw new Error(`the archive is damaged: ${messageOf(error)}`, { cause: error });
  }
}

function prove(db: DatabaseSync): Proven {
  const check = db.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'];
  if (check !== 'ok') throw new Error(printable(String(check)));
  const { told, author } = toldBy(db);
  refuseOtherFormat(told);
  const manifest = manifestSchema.parse(told);
  const later = newerVersionProblem(manifest.version);
  if (later !== undefined) throw new OtherVersion(`the archive was made by ${later}`);
  if (hashOfSchema(db) !== manifest.schema) throw new Error('its tables differ from its manifest');
  if (Object.keys(manifest.tables).length === 0)
    throw new Error('it has no tables: the product had none when the archive was made');
  verifyTables(db, manifest);
  for (const { key, sha256: expected, content } of db
    .prepare('SELECT key, sha256, content FROM backup_objects')
    .iterate()) {
    if (!(content instanceof Uint8Array) || sha256(content) !== expected)
      throw new Error(`the file ${printable(String(key))} has changed since the archive was made`);
  }
  const objects = objectsOf(db);
  if (objects.sha256 !== manifest.objects.sha256)
    throw new Error(`it has ${objects.count} files instead of the ${manifest.objects.count} in its manifest`);
  return { manifest, author: author() };
}

/** @throws Error if the database has no manifest: then no backup has written it */
function toldBy(db: DatabaseSync): { told: unknown; author: () => string } {
  const has = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'backup_manifest'").get();
  const written = has ? db.prepare('SELECT * FROM backup_manifest').all() : [];
  const [row] = written;
  if (row === undefined || written.length !== 1) throw new Error('it has no manifest');
  const text = String(row['manifest']);
  const signature = signatureSchema.safeParse(row).data ?? {};
  try {
    return { told: JSON.parse(text), author: () => verifiedSigner(text, signature) };
  } catch (error) {
    throw new Error('its manifest cannot be read', { cause: error });
  }
}

/**
 * Compares each table's rows with the manifest.
 * @throws Error naming the first table that differs
 */
export function verifyTables(db: DatabaseSync, { tables }: Manifest): void {
  const names = tableNames(db);
  const missing = Object.keys(tables).find((name) => !names.includes(name));
  if (missing !== undefined) throw new Error(`the table ${printable(missing)} is missing`);
  for (const name of names) {
    const expected = tables[name];
    if (!expected) throw new Error(`the table ${printable(name)} is not in the manifest`);
    const found = tableDigest(db, name);
    if (found.rows !== expected.rows)
      throw new Error(`the table ${printable(name)} has ${found.rows} rows instead of ${expected.rows}`);
    if (found.sha256 !== expected.sha256)
      throw new Error(`the content of the table ${printable(name)} differs from the manifest`);
  }
}

/** @throws Error if the archive has another format: this version may not know its content */
function refuseOtherFormat(manifest: unknown): void {
  const format = z.object({ format: z.int() }).safeParse(manifest).data?.format;
  if (format !== undefined && format !== FORMAT) throw new OtherFormat(format);
}

/** The archive may be intact, but another version has made it and this version cannot read it. */
class OtherVersion extends Error {}

class OtherFormat extends OtherVersion {
  constructor(format: number) {
    super(
      format < FORMAT
        ? 'the archive was made by an unreleased version, and this version cannot read it. Take another archive'
        : `the archive has format ${format}, and this version reads only format ${FORMAT}: restore it with the version that made it, or a later one`,
    );
  }
}

/** The reason why the archive cannot be unpacked, with a first step if zlib's code is known. */
function unpackingReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'Z_DATA_ERROR' && messageOf(error) === 'incorrect header check')
    return 'npm run backup did not write this file. Take another archive';
  if (code === 'Z_BUF_ERROR') return 'it ends too early. Take another archive, or copy this one again';
  if (code === 'Z_DATA_ERROR') return `it was changed later (${messageOf(error)}). Take another archive`;
  return messageOf(error);
}

function messageOf(error: unknown): string {
  if (error instanceof z.ZodError) return `its manifest does not have format ${FORMAT}`;
  return error instanceof Error ? error.message : String(error);
}
