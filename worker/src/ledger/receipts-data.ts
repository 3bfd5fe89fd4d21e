import { RECEIPTS_PER_ENTRY, type Receipt, type ReceiptType } from '#contract/ledger';
import { statement, type Database } from '#db/client';
import { deletedEntries, ledgerEntries, receipts } from '#db/ledger';
import { insertFrom, jsonObject } from '#db/sql';
import { and, eq, exists, lt, sql } from 'drizzle-orm';
import { logAction, logPerRow } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';
import { removeOrphanFiles } from '../lib/orphan-files.ts';
import type { ReceiptFile } from './receipt-file.ts';

const PREFIX = 'receipts/';
const keyOf = (id: string) => PREFIX + id;

/** The records of all receipts, oldest first, logging the access. */
export async function listReceipts(db: Database, by: Actor): Promise<Receipt[]> {
  const { id, entry_id, name, content_type: type, size, uploaded_at } = receipts;
  const detail = jsonObject({ count: db.$count(receipts) });
  const [list] = await db.commit([
    db.select({ id, entry_id, name, type, size }).from(receipts).orderBy(uploaded_at, id),
    logAction(db, by, { action: 'read', subject: 'receipt', detail }),
  ]);
  return list;
}

/** Stores the file first and then its record; the nightly task removes files without a record. */
export async function storeReceipt(
  db: Database,
  files: R2Bucket,
  by: Actor,
  entryId: number,
  name: string,
  { type, bytes }: ReceiptFile,
): Promise<Receipt | 'unknown' | 'full'> {
  const id = crypto.getRandomValues(new Uint8Array(16)).toHex();
  await files.put(keyOf(id), bytes, { httpMetadata: { contentType: type } });
  const size = bytes.length;
  const row = { id, entry_id: entryId, name, content_type: type, size, uploaded_at: Date.now() };
  const entry = db.select({ id: ledgerEntries.id }).from(ledgerEntries).where(eq(ledgerEntries.id, entryId));
  const isRoom = lt(db.$count(receipts, eq(receipts.entry_id, entryId)), RECEIPTS_PER_ENTRY);
  const [stored, , entries] = await db.commit([
    statement<Pick<Receipt, 'id'>>(
      db,
      sql`${insertFrom(receipts, row, sql`WHERE ${and(exists(entry), isRoom)}`)} RETURNING id`,
    ),
    loggedReceipt(db, by, 'create', id, { size: receipts.size }),
    entry,
  ]);
  if (stored.length === 1) return { id, entry_id: entryId, name, type, size };
  await files.delete(keyOf(id));
  return entries.length === 1 ? 'full' : 'unknown';
}

/** The record and the file of a receipt, logging the access; undefined if there is none. */
export async function readReceipt(
  db: Database,
  files: R2Bucket,
  by: Actor,
  id: string,
): Promise<{ name: string; type: ReceiptType; object: R2ObjectBody } | undefined> {
  const { name, content_type: type } = receipts;
  const [, [record]] = await db.commit([
    loggedReceipt(db, by, 'read', id, {}),
    db.select({ name, type }).from(receipts).where(eq(receipts.id, id)),
  ]);
  const object = record && (await files.get(keyOf(id)));
  return record && object ? { ...record, object } : undefined;
}

/** Returns false if there is no such receipt. */
export async function deleteReceipt(db: Database, files: R2Bucket, by: Actor, id: string): Promise<boolean> {
  const [, deleted] = await db.commit([
    loggedReceipt(db, by, 'delete', id, {}),
    db.delete(receipts).where(eq(receipts.id, id)).returning({ id: receipts.id }),
  ]);
  if (deleted.length !== 1) return false;
  await removeReceipts(files, [id]);
  return true;
}

/**
 * Logs an access to the receipt under its entry; writes nothing if there is no such receipt. The file's name
 * may contain a person's name, so it is not logged.
 */
function loggedReceipt(
  db: Database,
  by: Actor,
  action: 'create' | 'read' | 'delete',
  id: string,
  detail: Parameters<typeof jsonObject>[0],
) {
  const subject_id = sql`CAST(${receipts.entry_id} AS TEXT)`;
  const row = { action, subject: 'receipt', subject_id, detail: jsonObject(detail) } as const;
  return logPerRow(db, by, row, sql`FROM ${receipts} WHERE ${eq(receipts.id, id)}`);
}

export async function removeReceipts(files: R2Bucket, ids: string[]): Promise<void> {
  // R2 deletes a thousand objects at a time.
  for (let at = 0; at < ids.length; at += 1000) await files.delete(ids.slice(at, at + 1000).map(keyOf));
}

/** Removes files that have a record neither among the receipts nor in the bin. */
export function removeOrphanReceipts(db: Database, files: R2Bucket): Promise<number> {
  return removeOrphanFiles(files, PREFIX, async (ids) => {
    const known = db.select({ id: receipts.id }).from(receipts);
    const orphans = await statement<Pick<Receipt, 'id'>>(
      db,
      sql`SELECT value AS id FROM json_each(${JSON.stringify(ids)}) WHERE value NOT IN ${known}
        AND value NOT IN (SELECT part.value ->> 'id' FROM ${deletedEntries}, json_each(${deletedEntries.receipts}) AS part)`,
    );
    return orphans.map(({ id }) => id);
  });
}
