import { RECEIPTS_PER_ENTRY, type Receipt, type ReceiptType } from '#contract/receipts';
import type { Database } from '#db/client';
import { loggedBy } from '../access-log/data.ts';
import type { Actor } from '../lib/actor.ts';
import { removeOrphanFiles } from '../lib/orphan-files.ts';
import type { ReceiptFile } from './receipt-file.ts';

const PREFIX = 'receipts/';
const keyOf = (id: string) => PREFIX + id;

const LOGGED = 'CAST(entry_id AS TEXT) AS subject_id';

/** The records of all receipts, in the order in which they came. */
export async function listReceipts({ $client }: Database): Promise<Receipt[]> {
  const { results } = await $client
    .prepare('SELECT id, entry_id, name, content_type AS type, size FROM receipts ORDER BY uploaded_at, id')
    .all<Receipt>();
  return results;
}

/**
 * Stores the file, then its record: what R2 holds without a record is nobody's and goes at night.
 * @param name what the file is called
 */
export async function storeReceipt(
  db: Database,
  files: R2Bucket,
  by: Actor,
  entryId: number,
  name: string,
  { type, bytes }: ReceiptFile,
): Promise<Receipt | 'unknown' | 'full'> {
  const { $client } = db;
  const id = crypto.getRandomValues(new Uint8Array(16)).toHex();
  await files.put(keyOf(id), bytes, { httpMetadata: { contentType: type } });
  const [stored, , entry] = await $client.batch<{ id: string | number }>([
    $client
      .prepare(
        `INSERT INTO receipts (id, entry_id, name, content_type, size, uploaded_at)
         SELECT ?1, id, ?3, ?4, ?5, ?6 FROM ledger_entries WHERE id = ?2
           AND (SELECT count(*) FROM receipts WHERE entry_id = ?2) < ${RECEIPTS_PER_ENTRY}
         RETURNING id`,
      )
      .bind(id, entryId, name, type, bytes.length, Date.now()),
    loggedBy(
      db,
      by,
      { action: 'create', subject: 'receipt' },
      `SELECT ${LOGGED}, json_object('file', json_array(NULL, name), 'size', size) AS detail
       FROM receipts WHERE id = ?6`,
      id,
    ),
    $client.prepare('SELECT id FROM ledger_entries WHERE id = ?').bind(entryId),
  ]);
  if (stored?.results.length === 1) return { id, entry_id: entryId, name, type, size: bytes.length };
  await files.delete(keyOf(id));
  return entry?.results.length === 1 ? 'full' : 'unknown';
}

/** The record and the file of a receipt, and a row of the log that it was read; undefined when there is none. */
export async function readReceipt(
  db: Database,
  files: R2Bucket,
  by: Actor,
  id: string,
): Promise<{ name: string; type: ReceiptType; object: R2ObjectBody } | undefined> {
  const { $client } = db;
  const [, found] = await $client.batch<{ name: string; type: ReceiptType }>([
    loggedBy(
      db,
      by,
      { action: 'read', subject: 'receipt' },
      `SELECT ${LOGGED}, '{}' AS detail FROM receipts WHERE id = ?6`,
      id,
    ),
    $client.prepare('SELECT name, content_type AS type FROM receipts WHERE id = ?').bind(id),
  ]);
  const [record] = found?.results ?? [];
  const object = record && (await files.get(keyOf(id)));
  return record && object ? { ...record, object } : undefined;
}

/** False when there is no such receipt. */
export async function deleteReceipt(db: Database, files: R2Bucket, by: Actor, id: string): Promise<boolean> {
  const [, deleted] = await db.$client.batch([
    loggedBy(
      db,
      by,
      { action: 'delete', subject: 'receipt' },
      `SELECT ${LOGGED}, json_object('file', json_array(name, NULL)) AS detail FROM receipts WHERE id = ?6`,
      id,
    ),
    db.$client.prepare('DELETE FROM receipts WHERE id = ? RETURNING id').bind(id),
  ]);
  if (deleted?.results.length !== 1) return false;
  await removeReceipts(files, [id]);
  return true;
}

/** Removes the files of receipts whose records are gone. */
export async function removeReceipts(files: R2Bucket, ids: string[]): Promise<void> {
  if (ids.length > 0) await files.delete(ids.map(keyOf));
}

/** Removes the files that no record knows. */
export function removeOrphanReceipts({ $client }: Database, files: R2Bucket): Promise<number> {
  return removeOrphanFiles(files, PREFIX, async (ids) => {
    const { results } = await $client
      .prepare('SELECT value AS id FROM json_each(?) WHERE value NOT IN (SELECT id FROM receipts)')
      .bind(JSON.stringify(ids))
      .all<{ id: string }>();
    return results.map(({ id }) => id);
  });
}
