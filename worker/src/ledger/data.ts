import type { LedgerEntry, LedgerEntryForm } from '#contract/ledger';
import { statement, type Database } from '#db/client';
import { joined } from '#db/json';
import { dues, ledgerEntries, ledgerKeys, ledgerVersion, receipts } from '#db/ledger';
import { cameAs, insertFrom, jsonObject, wasBefore } from '#db/sql';
import { and, desc, eq, getTableColumns, max, notExists, sql, type SQL } from 'drizzle-orm';
import { loggedEach } from '../access-log/data.ts';
import type { Actor } from '../lib/actor.ts';

/** Entries in one value of the list, which D1 limits in size: the longest is 1.5 KB of JSON. */
const CHUNK = 1000;

const columns = getTableColumns(ledgerEntries);
const { id: _, ...fields } = columns;

/** The account as this isolate read it last. A tag is never given twice, so it is right for as long as its tag is. */
let kept: { tag: string; list: Uint8Array<ArrayBuffer> } | undefined;

/** The account as JSON, newest entry first. Entries are read only when this isolate has them under another tag. */
export async function listEntries(db: Database): Promise<Uint8Array<ArrayBuffer>> {
  const version = db.select().from(ledgerVersion);
  const [before] = await version;
  if (!before) throw new Error('the ledger has no version');
  if (kept?.tag === before.tag) return kept.list;
  // One chunk more than there was, for entries that came since.
  const chunks = Array.from({ length: Math.ceil(before.entries / CHUNK) + 1 }, (_, at) =>
    selectChunk(db, at),
  );
  const [[now], ...parts] = await db.batch([version, ...chunks]);
  if (!now) throw new Error('the ledger has no version');
  if (now.entries > chunks.length * CHUNK) return await listEntries(db);
  kept = { tag: now.tag, list: new TextEncoder().encode(`[${joined(parts.flat())}]`) };
  return kept.list;
}

/** SQLite makes the JSON: ten thousand rows cost more to carry than ten texts. */
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

/** Adds the entry. */
export async function addEntry(db: Database, by: Actor, entry: LedgerEntryForm): Promise<LedgerEntry> {
  const [[added]] = await db.batch([
    db.insert(ledgerEntries).values(entry).returning(),
    loggedNewest(db, by, sql`true`),
  ]);
  if (!added) throw new Error('the entry was not inserted');
  return added;
}

/**
 * Adds the entry unless this user has used the key before. The four statements are one transaction, so of two requests
 * under one key at the same time one adds it and the other finds it.
 * @returns the entry as it was first added; 'other' when the key was used for another one, 'deleted' when its entry is
 *   there no more
 */
export async function addEntryOnce(
  db: Database,
  by: Actor & { id: number },
  key: string,
  entry: LedgerEntryForm,
): Promise<LedgerEntry | 'other' | 'deleted'> {
  const body_hash = await hashOf(entry);
  const isOwn = and(eq(ledgerKeys.user_id, by.id), eq(ledgerKeys.key, key));
  const isNew = notExists(db.select({ key: ledgerKeys.key }).from(ledgerKeys).where(isOwn));
  const newest = { user_id: by.id, key, body_hash, entry_id: max(ledgerEntries.id) };
  const [, , , [first]] = await db.batch([
    statement(db, insertFrom(ledgerEntries, entry, sql`WHERE ${isNew}`)),
    loggedNewest(db, by, isNew),
    statement(
      db,
      insertFrom(ledgerKeys, newest, sql`FROM ${ledgerEntries} WHERE ${isNew} HAVING max(id) IS NOT NULL`),
    ),
    db
      .select({ hash: ledgerKeys.body_hash, id: ledgerEntries.id })
      .from(ledgerKeys)
      .leftJoin(ledgerEntries, eq(ledgerEntries.id, ledgerKeys.entry_id))
      .where(isOwn),
  ]);
  if (!first) throw new Error('the key was not kept');
  if (first.hash !== body_hash) return 'other';
  return first.id === null ? 'deleted' : { id: first.id, ...entry };
}

/** The newest id is the one just given: ids never come back. */
function loggedNewest(db: Database, by: Actor, condition: SQL) {
  return loggedEach(
    db,
    by,
    { action: 'create', subject: 'ledger_entry', subject_id: ENTRY_ID, detail: cameAs(fields) },
    sql`FROM ${ledgerEntries} WHERE id = (SELECT max(id) FROM ${ledgerEntries}) AND ${condition}`,
  );
}

const ENTRY_ID = sql`CAST(${ledgerEntries.id} AS TEXT)`;

/**
 * Deletes the entry with the records of its receipts; who paid dues by it has not paid any more.
 * @returns the receipts that R2 holds for nobody now; undefined when there is no such entry
 */
export async function deleteEntry(db: Database, by: Actor, id: number): Promise<string[] | undefined> {
  const isIt = eq(ledgerEntries.id, id);
  const detail = wasBefore(fields, {
    receipts: db.$count(receipts, eq(receipts.entry_id, ledgerEntries.id)),
    dues: db.$count(dues, eq(dues.entry_id, ledgerEntries.id)),
  });
  const [, held, deleted] = await db.batch([
    loggedEach(
      db,
      by,
      { action: 'delete', subject: 'ledger_entry', subject_id: ENTRY_ID, detail },
      sql`FROM ${ledgerEntries} WHERE ${isIt}`,
    ),
    db.select({ id: receipts.id }).from(receipts).where(eq(receipts.entry_id, id)),
    db.delete(ledgerEntries).where(isIt).returning({ id: ledgerEntries.id }),
  ]);
  return deleted.length === 1 ? held.map((receipt) => receipt.id) : undefined;
}

/** SHA-256 in hex of what the body says, however it was written. What the first entries had not counts only where it is said. */
async function hashOf({ amount, datetime, description, ...more }: LedgerEntryForm): Promise<string> {
  const said = Object.entries(more).filter(([, value]) => value !== '' && value !== undefined);
  const text = JSON.stringify([amount, datetime, description, ...said]);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toHex();
}
