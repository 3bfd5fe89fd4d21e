import type { BinnedEntry } from '#contract/ledger';
import { statement, type Database } from '#db/client';
import { deletedEntries, ledgerEntries, ledgerHistory, receipts } from '#db/ledger';
import { insertFrom, jsonObject } from '#db/sql';
import { and, desc, eq, lt, sql, type SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import * as z from 'zod';
import { logAction, logPerRow } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';
import { removeReceipts } from './receipts-data.ts';

const { id, deleted_at } = deletedEntries;
const field = <Value>(name: string) =>
  sql<Value>`${deletedEntries.entry} ->> ${sql.raw(`'${name}'`)}`.as(name);

/** Whether the entry can be restored: of an entry removed for good only date and amount are stored. */
const IS_WHOLE = sql`${deletedEntries.entry} ->> 'version' IS NOT NULL`;

/** Deleted entries that can be restored, the last deleted first, logging the access. */
export async function listDeletedEntries(db: Database, by: Actor): Promise<BinnedEntry[]> {
  const [list] = await db.commit([
    db
      .select({
        id,
        amount: field<number>('amount'),
        datetime: field<string>('datetime'),
        description: field<string>('description'),
        receipts: sql<number>`json_array_length(${deletedEntries.receipts})`.as('receipts'),
        at: deleted_at,
      })
      .from(deletedEntries)
      .where(IS_WHOLE)
      .orderBy(desc(deleted_at), desc(id)),
    logAction(db, by, {
      action: 'read',
      subject: 'ledger_entry',
      detail: jsonObject({ count: db.$count(deletedEntries, IS_WHOLE) }),
    }),
  ]);
  return list.map(({ at, ...entry }) => Object.assign(entry, { deleted_at: new Date(at).toISOString() }));
}

/** Restores an entry; dues that the entry had paid stay unpaid. Returns false if it is not in the bin. */
export async function restoreEntry(db: Database, by: Actor, entryId: number): Promise<boolean> {
  const isIt = and(eq(id, entryId), IS_WHOLE);
  const of = (json: SQL | typeof deletedEntries.entry, name: string) =>
    sql`${json} ->> ${sql.raw(`'${name}'`)}`;
  const eachOf = (column: typeof deletedEntries.history | typeof deletedEntries.receipts) =>
    sql`FROM ${deletedEntries}, json_each(${column}) AS part WHERE ${isIt}`;
  const part = (name: string) => of(sql`part.value`, name);
  const said = (name: string) => of(deletedEntries.entry, name);
  const words = (from: typeof said) => ({
    amount: from('amount'),
    datetime: from('datetime'),
    description: from('description'),
    category: from('category'),
    version: from('version'),
  });
  const receipt = {
    id: part('id'),
    entry_id: id,
    name: part('name'),
    content_type: part('content_type'),
    size: part('size'),
    uploaded_at: part('uploaded_at'),
  };
  const step = {
    entry_id: id,
    ...words(part),
    replaced_at: part('replaced_at'),
    replaced_by: part('replaced_by'),
  };
  const found = sql`FROM ${deletedEntries} WHERE ${isIt}`;
  const [, , , , restored] = await db.commit([
    loggedOf(db, by, 'create', isIt),
    statement(db, insertFrom(ledgerEntries, { id, ...words(said) }, found)),
    statement(db, insertFrom(ledgerHistory, step, eachOf(deletedEntries.history))),
    statement(db, insertFrom(receipts, receipt, eachOf(deletedEntries.receipts))),
    db.delete(deletedEntries).where(isIt).returning({ id }),
  ]);
  return restored.length === 1;
}

/**
 * Removes an entry from the bin for good. Its first date and amount stay as long as the bin would have kept
 * the entry: an import of the same statement still recognizes it. Returns false if it is not in the bin.
 */
export async function removeFromBin(
  db: Database,
  files: R2Bucket,
  by: Actor,
  entryId: number,
): Promise<boolean> {
  const { entry, history } = deletedEntries;
  const first = (name: string) => sql`coalesce(${history} -> 0, ${entry}) ->> ${sql.raw(`'${name}'`)}`;
  const rest = jsonObject({
    amount: first('amount'),
    datetime: first('datetime'),
    description: sql`''`,
    is_undone: sql`${entry} ->> 'is_undone'`,
  });
  const isIt = and(eq(id, entryId), IS_WHOLE);
  const forget = db.update(deletedEntries).set({ entry: rest, history: '[]', receipts: '[]' }).where(isIt);
  return (await removeWhere(db, files, by, isIt, forget)) > 0;
}

/** Removes entries for good that were deleted before `limit` (milliseconds since 1970). */
export function emptyBinBefore(db: Database, files: R2Bucket, by: Actor, limit: number): Promise<number> {
  const isOld = lt(deleted_at, limit);
  return removeWhere(db, files, by, and(isOld, IS_WHOLE), db.delete(deletedEntries).where(isOld));
}

/** @returns the number of removed entries */
async function removeWhere(
  db: Database,
  files: R2Bucket,
  by: Actor,
  condition: SQL | undefined,
  remove: BatchItem<'sqlite'>,
): Promise<number> {
  const [, gone] = await db.commit([
    loggedOf(db, by, 'delete', condition),
    db
      .select({
        receipts: sql<string>`(SELECT json_group_array(value ->> 'id') FROM json_each(${deletedEntries.receipts}))`,
      })
      .from(deletedEntries)
      .where(condition),
    remove,
  ]);
  await removeReceipts(
    files,
    gone.flatMap((row) => idsSchema.parse(JSON.parse(row.receipts))),
  );
  return gone.length;
}

const idsSchema = z.array(z.string());

function loggedOf(db: Database, by: Actor, action: 'create' | 'delete', condition: SQL | undefined) {
  const subject_id = sql`CAST(${id} AS TEXT)`;
  const detail = jsonObject({
    receipts: sql`json_array_length(${deletedEntries.receipts})`,
    bin: sql`json('true')`,
  });
  return logPerRow(
    db,
    by,
    { action, subject: 'ledger_entry', subject_id, detail },
    sql`FROM ${deletedEntries} WHERE ${condition}`,
  );
}
