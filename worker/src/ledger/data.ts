import {
  ENTRY_BYTES_MAX,
  type EntryDeletions,
  type LedgerEntry,
  type LedgerEntryForm,
} from '#contract/ledger';
import { statement, type Database } from '#db/client';
import { joinJsonParts } from '#db/json';
import {
  deletedEntries,
  dues,
  ledgerEntries,
  ledgerHistory,
  ledgerImportEntries,
  ledgerImports,
  ledgerKeys,
  ledgerVersion,
  receipts,
} from '#db/ledger';
import { addedRowLogDetail, insertFrom, jsonObject, deletedRowLogDetail } from '#db/sql';
import { and, desc, eq, getTableColumns, max, notExists, sql, type SQL } from 'drizzle-orm';
import { logPerRow, logReadUnlessChanged } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';

/** Entries per chunk of the list: D1 limits a value to 2 MB. */
const CHUNK = Math.floor(1_500_000 / ENTRY_BYTES_MAX);

const columns = getTableColumns(ledgerEntries);
export const selectEntry = (db: Database, id: number) =>
  db.select().from(ledgerEntries).where(eq(ledgerEntries.id, id));
/** The columns that the log records of an entry. Its texts may contain names, so the log has no texts. */
const loggedColumns = { amount: columns.amount, datetime: columns.datetime };

/** The account as last read by this isolate; valid while the tag matches, because tags are never reused. */
let kept: { tag: string; list: Uint8Array<ArrayBuffer> } | undefined;

/** The account as JSON, newest entry first, logging the access. Reads entries only for a new tag. */
export async function listEntries(db: Database, by: Actor): Promise<Uint8Array<ArrayBuffer>> {
  const read = { action: 'read', subject: 'ledger_entry', detail: COUNT } as const;
  const [[version]] = await db.commit([
    selectVersion(db),
    logPerRow(db, by, read, sql`FROM ${ledgerVersion}`),
  ]);
  if (!version) throw new Error('the ledger has no version');
  if (kept?.tag !== version.tag) kept = await readEntries(db, version.entries);
  return kept.list;
}

const COUNT = jsonObject({ count: ledgerVersion.entries });

const selectVersion = (db: Database) => db.select().from(ledgerVersion);

/** @param expected the recent number of entries */
async function readEntries(db: Database, expected: number): Promise<NonNullable<typeof kept>> {
  // One more chunk, for entries that were added since the count.
  const chunks = Array.from({ length: Math.ceil(expected / CHUNK) + 1 }, (_, at) => selectChunk(db, at));
  const [[now], ...parts] = await db.batch([selectVersion(db), ...chunks]);
  if (!now) throw new Error('the ledger has no version');
  if (now.entries > chunks.length * CHUNK) return await readEntries(db, now.entries);
  return { tag: now.tag, list: new TextEncoder().encode(`[${joinJsonParts(parts.flat())}]`) };
}

/** SQLite builds the JSON because ten thousand rows cost more to transfer than ten strings. */
function selectChunk(db: Database, at: number) {
  const chunk = db
    .select()
    .from(ledgerEntries)
    .orderBy(desc(ledgerEntries.datetime), desc(ledgerEntries.id))
    .limit(CHUNK)
    .offset(at * CHUNK)
    .as('ledger_entries');
  return db.select({ part: sql<string | null>`group_concat(${jsonObject(columns)}, ',')` }).from(chunk);
}

export async function addEntry(db: Database, by: Actor, entry: LedgerEntryForm): Promise<LedgerEntry> {
  const [[added]] = await db.commit([
    db.insert(ledgerEntries).values(entry).returning(),
    loggedNewest(db, by, sql`true`),
  ]);
  if (!added) throw new Error('the entry was not inserted');
  return added;
}

/**
 * Adds the entry unless this user has already used the key. The statements form one transaction, so of two
 * concurrent requests with one key, one adds the entry and the other finds it.
 * @param run the import to which the entry belongs
 * @returns the current entry; 'other' if the key was used for a different entry, 'deleted' if its entry no
 * longer exists
 */
export async function addEntryOnce(
  db: Database,
  by: Actor & { id: number },
  key: string,
  entry: LedgerEntryForm,
  run?: string,
): Promise<LedgerEntry | 'other' | 'deleted'> {
  const body_hash = await hashOf(entry);
  const isOwn = and(eq(ledgerKeys.user_id, by.id), eq(ledgerKeys.key, key));
  const isNew = notExists(db.select({ key: ledgerKeys.key }).from(ledgerKeys).where(isOwn));
  const newest = { user_id: by.id, key, body_hash, entry_id: max(ledgerEntries.id) };
  const isSame = and(isOwn, eq(ledgerKeys.body_hash, body_hash));
  const [, , , , [first]] = await db.commit([
    statement(db, insertFrom(ledgerEntries, entry, sql`WHERE ${isNew}`)),
    loggedNewest(db, by, isNew),
    logReadUnlessChanged(
      db,
      by,
      { subject: 'ledger_entry', subject_id: sql`CAST(${ledgerKeys.entry_id} AS TEXT)` },
      sql`FROM ${ledgerKeys} WHERE ${isSame}`,
    ),
    statement(
      db,
      insertFrom(ledgerKeys, newest, sql`FROM ${ledgerEntries} WHERE ${isNew} HAVING max(id) IS NOT NULL`),
    ),
    db
      .select({ hash: ledgerKeys.body_hash, ...columns })
      .from(ledgerKeys)
      .leftJoin(ledgerEntries, eq(ledgerEntries.id, ledgerKeys.entry_id))
      .where(isOwn),
    ...(run === undefined ? [] : noteRun(db, by, run, isSame)),
  ]);
  if (!first) throw new Error('the key was not kept');
  const { hash, ...stored } = first;
  if (hash !== body_hash) return 'other';
  return isStored(stored) ? stored : 'deleted';
}

/** Whether a LEFT JOIN found an entry. */
const isStored = (entry: { [Name in keyof LedgerEntry]: LedgerEntry[Name] | null }): entry is LedgerEntry =>
  entry.id !== null;

/** Logs the entry just inserted: the one with the highest id, because ids are never reused. */
function loggedNewest(db: Database, by: Actor, condition: SQL) {
  return logPerRow(
    db,
    by,
    {
      action: 'create',
      subject: 'ledger_entry',
      subject_id: ENTRY_ID,
      detail: addedRowLogDetail(loggedColumns),
    },
    sql`FROM ${ledgerEntries} WHERE id = (SELECT max(id) FROM ${ledgerEntries}) AND ${condition}`,
  );
}

const ENTRY_ID = sql`CAST(${ledgerEntries.id} AS TEXT)`;

/** Returns false if there is no such entry. */
export function deleteEntry(db: Database, by: Actor, id: number): Promise<boolean> {
  return deleteEntriesWhere(db, by, eq(ledgerEntries.id, id));
}

/** Matches all `entries` if each still has the version that the user saw; otherwise matches nothing. */
export function allEntriesMatchSql(entries: EntryDeletions['entries']): SQL {
  const sent = sql`json_each(${JSON.stringify(entries)}) AS sent`;
  const found = sql`SELECT entry.id FROM ${sent} JOIN ${ledgerEntries} AS entry
    ON entry.id = sent.value ->> 'id' AND entry.version = sent.value ->> 'version'`;
  const areAllThere = sql`(SELECT count(*) FROM (${found})) = ${entries.length}`;
  return sql`${ledgerEntries.id} IN (${found}) AND ${areAllThere}`;
}

export function deleteEntries(db: Database, by: Actor, { entries }: EntryDeletions): Promise<boolean> {
  return deleteEntriesWhere(db, by, allEntriesMatchSql(entries));
}

/**
 * Moves entries with history and receipts to the bin; the dues that they paid become unpaid. Returns false if
 * there are no such entries. @param mark further columns for the bin's rows
 */
export async function deleteEntriesWhere(
  db: Database,
  by: Actor,
  condition: SQL,
  mark: { is_undone?: 1 } = {},
): Promise<boolean> {
  const detail = deletedRowLogDetail(loggedColumns, {
    receipts: db.$count(receipts, eq(receipts.entry_id, ledgerEntries.id)),
    dues: db.$count(dues, eq(dues.entry_id, ledgerEntries.id)),
  });
  const { id, ...entry } = columns;
  const { id: _, entry_id, ...step } = getTableColumns(ledgerHistory);
  const { entry_id: receiptOf, ...receipt } = getTableColumns(receipts);
  const kept = {
    id,
    entry: jsonObject({ ...entry, ...mark }),
    history: sql`(SELECT json_group_array(${jsonObject(step)} ORDER BY version) FROM ${ledgerHistory} WHERE ${eq(entry_id, id)})`,
    receipts: sql`(SELECT json_group_array(${jsonObject(receipt)}) FROM ${receipts} WHERE ${eq(receiptOf, id)})`,
    deleted_at: Date.now(),
  };
  const [, , deleted] = await db.commit([
    logPerRow(
      db,
      by,
      { action: 'delete', subject: 'ledger_entry', subject_id: ENTRY_ID, detail },
      sql`FROM ${ledgerEntries} WHERE ${condition}`,
    ),
    statement(db, insertFrom(deletedEntries, kept, sql`FROM ${ledgerEntries} WHERE ${condition}`)),
    db.delete(ledgerEntries).where(condition).returning({ id: ledgerEntries.id }),
  ]);
  return deleted.length > 0;
}

/**
 * SHA-256 in hex of the entry's values, independent of the JSON's formatting. Fields that were added to the
 * API later are included only when present, so that older hashes remain valid.
 */
async function hashOf({ amount, datetime, description, ...more }: LedgerEntryForm): Promise<string> {
  const said = Object.entries(more).filter(([, value]) => value !== '' && value !== undefined);
  const text = JSON.stringify([amount, datetime, description, ...said]);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toHex();
}

/**
 * Records that the entry under this key belongs to the run. Must follow the statement that adds the key: a
 * repeated request then records nothing twice, and nothing for a deleted entry.
 * @param isOwn condition that finds the key, if it was used for this entry
 */
function noteRun(db: Database, by: Actor & { id: number }, run: string, isOwn: SQL | undefined) {
  const stored = sql`FROM ${ledgerKeys} JOIN ${ledgerEntries} ON ${ledgerEntries.id} = ${ledgerKeys.entry_id}`;
  const isRun = and(eq(ledgerImports.user_id, by.id), eq(ledgerImports.run, run));
  const link = { entry_id: ledgerKeys.entry_id, import_id: ledgerImports.id };
  return [
    statement(
      db,
      insertFrom(
        ledgerImports,
        { at: Date.now(), user_id: by.id, run },
        sql`${stored} WHERE ${isOwn} ON CONFLICT DO NOTHING`,
      ),
    ),
    statement(
      db,
      insertFrom(
        ledgerImportEntries,
        link,
        sql`${stored} JOIN ${ledgerImports} ON ${isRun} WHERE ${isOwn} ON CONFLICT DO NOTHING`,
      ),
    ),
  ] as const;
}
