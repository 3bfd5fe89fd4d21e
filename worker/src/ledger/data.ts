import type { LedgerEntry, LedgerEntryForm } from '#contract/ledger';
import type { Database } from '#db/client';
import { loggedBy } from '../access-log/data.ts';
import type { Actor } from '../lib/actor.ts';
import { joinJson } from '../lib/json-chunks.ts';

/** Entries in one value of the list, which D1 limits in size: the longest is 1.5 KB of JSON. */
const CHUNK = 1000;
const VERSION = 'SELECT tag, entries FROM ledger_version';

type Version = { tag: string; entries: number };
type Part = { part: string };

/** The account as this isolate read it last. A tag is never given twice, so it is right for as long as its tag is. */
let kept: { tag: string; list: Uint8Array<ArrayBuffer> } | undefined;

/** The account as JSON, newest entry first. Entries are read only when this isolate has them under another tag. */
export async function listEntries(db: Database): Promise<Uint8Array<ArrayBuffer>> {
  const { $client } = db;
  const version = await $client.prepare(VERSION).first<Version>();
  if (!version) throw new Error('the ledger has no version');
  if (kept?.tag === version.tag) return kept.list;
  // One chunk more than there was, for entries that came since.
  const chunks = Array.from({ length: Math.ceil(version.entries / CHUNK) + 1 }, (_, at) =>
    $client.prepare(selectChunk(at)),
  );
  const [newest, ...parts] = await $client.batch<Version & Part>([$client.prepare(VERSION), ...chunks]);
  const [now] = newest?.results ?? [];
  if (!now) throw new Error('the ledger has no version');
  if (now.entries > chunks.length * CHUNK) return await listEntries(db);
  const list = joinJson(
    parts.flatMap(({ results }) => results.map(({ part }) => part)),
    '[]',
  );
  kept = { tag: now.tag, list: new TextEncoder().encode(list) };
  return kept.list;
}

/** SQLite makes the JSON: ten thousand rows cost more to carry than ten texts. */
const selectChunk = (at: number) => `
  SELECT json_group_array(json_object('id', id, 'amount', amount, 'datetime', datetime,
           'description', description)) AS part
  FROM (SELECT * FROM ledger_entries ORDER BY datetime DESC, id DESC LIMIT ${CHUNK} OFFSET ${at * CHUNK})`;

/** Adds the entry. */
export async function addEntry(db: Database, by: Actor, entry: LedgerEntryForm): Promise<LedgerEntry> {
  const [added] = await db.$client.batch<{ id: number }>([
    db.$client.prepare(`${INSERT} VALUES (?1, ?2, ?3) RETURNING id`).bind(...columnsOf(entry)),
    loggedBy(db, by, { action: 'create', subject: 'ledger_entry' }, LOGGED_NEWEST),
  ]);
  const [row] = added?.results ?? [];
  if (!row) throw new Error('the entry was not inserted');
  return { id: row.id, ...entry };
}

/**
 * Adds the entry unless this user has used the key before. The four statements are one transaction, so of two requests
 * under one key at the same time one adds it and the other finds it.
 * @returns the entry as it was first added; undefined when the key was used for another one
 */
export async function addEntryOnce(
  db: Database,
  by: Actor,
  key: string,
  entry: LedgerEntryForm,
): Promise<LedgerEntry | undefined> {
  const { $client } = db;
  const hash = await hashOf(entry);
  const isNew = (user: string, sent: string) =>
    `NOT EXISTS (SELECT 1 FROM ledger_keys WHERE user_id = ${user} AND key = ${sent})`;
  const [, , , known] = await $client.batch<{ id: number; hash: string }>([
    $client
      .prepare(`${INSERT} SELECT ?1, ?2, ?3 WHERE ${isNew('?4', '?5')}`)
      .bind(...columnsOf(entry), by.id, key),
    loggedBy(
      db,
      by,
      { action: 'create', subject: 'ledger_entry' },
      `${LOGGED_NEWEST} AND ${isNew('?2', '?6')}`,
      key,
    ),
    $client
      .prepare(
        `INSERT INTO ledger_keys (user_id, key, body_hash, entry_id)
         SELECT ?1, ?2, ?3, max(id) FROM ledger_entries WHERE ${isNew('?1', '?2')} HAVING max(id) IS NOT NULL`,
      )
      .bind(by.id, key, hash),
    $client
      .prepare('SELECT entry_id AS id, body_hash AS hash FROM ledger_keys WHERE user_id = ? AND key = ?')
      .bind(by.id, key),
  ]);
  const [first] = known?.results ?? [];
  if (!first) throw new Error('the key was not kept');
  return first.hash === hash ? { id: first.id, ...entry } : undefined;
}

const INSERT = 'INSERT INTO ledger_entries (amount, datetime, description)';
/** The newest id is the one just given: ids never come back. */
const LOGGED_NEWEST = `
  SELECT CAST(id AS TEXT) AS subject_id, json_object('amount', json_array(NULL, amount),
    'datetime', json_array(NULL, datetime), 'description', json_array(NULL, description)) AS detail
  FROM ledger_entries WHERE id = (SELECT max(id) FROM ledger_entries)`;

/**
 * Deletes the entry with the records of its receipts; who paid dues by it has not paid any more.
 * @returns the receipts that R2 holds for nobody now; undefined when there is no such entry
 */
export async function deleteEntry(db: Database, by: Actor, id: number): Promise<string[] | undefined> {
  const { $client } = db;
  const [, receipts, deleted] = await $client.batch<{ id: string }>([
    loggedBy(
      db,
      by,
      { action: 'delete', subject: 'ledger_entry' },
      `SELECT CAST(id AS TEXT) AS subject_id, json_object('amount', json_array(amount, NULL),
         'datetime', json_array(datetime, NULL), 'description', json_array(description, NULL),
         'receipts', (SELECT count(*) FROM receipts WHERE entry_id = entries.id),
         'dues', (SELECT count(*) FROM dues WHERE entry_id = entries.id)) AS detail
       FROM ledger_entries AS entries WHERE id = ?6`,
      id,
    ),
    $client.prepare('SELECT id FROM receipts WHERE entry_id = ?').bind(id),
    $client.prepare('DELETE FROM ledger_entries WHERE id = ? RETURNING id').bind(id),
  ]);
  return deleted?.results.length === 1 ? (receipts?.results ?? []).map((receipt) => receipt.id) : undefined;
}

type Columns = [amount: number, datetime: string, description: string];
const columnsOf = ({ amount, datetime, description }: LedgerEntryForm): Columns => [
  amount,
  datetime,
  description,
];

/** SHA-256 in hex of what the body says, however it was written. */
async function hashOf(entry: LedgerEntryForm): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(columnsOf(entry)));
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).toHex();
}
