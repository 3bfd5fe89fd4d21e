import type {
  Categorization,
  EntryRevision,
  LedgerEntry,
  LedgerEntryChange,
  OriginalEntry,
} from '#contract/ledger';
import type { DuesPayment } from '#contract/dues';
import { statement, type Database } from '#db/client';
import { deletedEntries, dues, ledgerEntries, ledgerHistory } from '#db/ledger';
import { users } from '#db/users';
import { insertFrom, toInt, jsonObject } from '#db/sql';
import { and, desc, eq, exists, ne, not, or, sql, type SQL } from 'drizzle-orm';
import { logPerRow, logReadUnlessChanged } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';
import { allEntriesMatchSql, selectEntry } from './data.ts';
import { selectPayments } from './dues-data.ts';

type Correction =
  | { kind: 'corrected' | 'outdated'; entry: LedgerEntry }
  /** After the correction, the entry would not cover the dues that it has paid. */
  | { kind: 'paid-dues'; payments: DuesPayment[] };

/**
 * Corrects an entry and stores its earlier state. Every statement has the same condition: the version fits,
 * something differs, and the entry still covers its dues or the request releases them.
 * @returns undefined if there is no such entry
 */
export async function correctEntry(
  db: Database,
  by: Actor & { id: number },
  id: number,
  { version, release_dues = false, ...form }: LedgerEntryChange,
): Promise<Correction | undefined> {
  const { amount, datetime, description, category } = ledgerEntries;
  const isOtherCategory = form.category === undefined ? undefined : ne(category, form.category);
  const taken = sql`SELECT sum(coalesce(${dues.amount}, ${Math.abs(form.amount)})) FROM ${dues} WHERE ${eq(dues.entry_id, id)}`;
  const isLess = sql`coalesce((${taken}), 0) > ${Math.max(form.amount, 0)}`;
  const condition = and(
    eq(ledgerEntries.id, id),
    version === undefined ? undefined : eq(ledgerEntries.version, version),
    or(
      ne(amount, form.amount),
      ne(datetime, form.datetime),
      ne(description, form.description),
      isOtherCategory,
    ),
    release_dues ? undefined : or(eq(amount, form.amount), not(isLess)),
  );
  const found = sql`FROM ${ledgerEntries} WHERE ${condition}`;
  const change = (column: typeof amount | typeof datetime, value: SQL | string) =>
    sql`json(iif(${column} = ${value}, NULL, json_array(${column}, ${value})))`;
  const isOther = or(ne(description, form.description), isOtherCategory);
  const released = db.$count(dues, and(eq(dues.entry_id, id), isLess));
  const detail = sql`json_patch('{}', ${jsonObject({
    amount: change(amount, toInt(form.amount)),
    datetime: change(datetime, form.datetime),
    // An entry's texts may contain people's names, so the log only says that they changed.
    words: sql`json(iif(${isOther}, 'true', NULL))`,
    dues: release_dues ? sql`nullif(${released}, 0)` : null,
  })})`;
  const row = { subject: 'ledger_entry', subject_id: String(id) } as const;
  const [, , , , [written], [entry], payments] = await db.commit([
    logPerRow(db, by, { ...row, action: 'change', detail }, found),
    logReadUnlessChanged(db, by, row, sql`FROM ${ledgerEntries} WHERE ${eq(ledgerEntries.id, id)}`),
    keepEarlier(db, by, found),
    db
      .update(dues)
      .set({ entry_id: null, amount: null })
      .where(and(eq(dues.entry_id, id), release_dues ? exists(sql`(SELECT 1 ${found})`) : sql`0`, isLess)),
    db.update(ledgerEntries).set(form).where(condition).returning({ id: ledgerEntries.id }),
    selectEntry(db, id),
    selectPayments(db, eq(dues.entry_id, id)),
  ]);
  if (!entry) return undefined;
  const isSame =
    entry.amount === form.amount &&
    entry.datetime === form.datetime &&
    entry.description === form.description &&
    entry.category === (form.category ?? entry.category);
  if (written || (isSame && (version === undefined || version === entry.version)))
    return { kind: 'corrected', entry };
  if (version !== undefined && version !== entry.version) return { kind: 'outdated', entry };
  return { kind: 'paid-dues', payments };
}

/**
 * Gives entries a category, all of them or none, and stores their earlier state. Skips entries that already
 * have the category. @returns false if an entry is missing or not in the given version
 */
export async function categorizeEntries(
  db: Database,
  by: Actor & { id: number },
  { entries, category }: Categorization,
): Promise<boolean> {
  const all = allEntriesMatchSql(entries);
  const condition = and(all, ne(ledgerEntries.category, category));
  const found = sql`FROM ${ledgerEntries} WHERE ${condition}`;
  const change = {
    action: 'change',
    subject: 'ledger_entry',
    detail: jsonObject({ words: sql`json('true')` }),
  } as const;
  const [known] = await db.commit([
    db.select({ id: ledgerEntries.id }).from(ledgerEntries).where(all).limit(1),
    logPerRow(db, by, { ...change, subject_id: sql`CAST(${ledgerEntries.id} AS TEXT)` }, found),
    keepEarlier(db, by, found),
    db.update(ledgerEntries).set({ category }).where(condition),
  ]);
  return known.length > 0;
}

/** Stores the state of entries before a change. */
function keepEarlier(db: Database, by: Actor & { id: number }, found: SQL) {
  const { amount, datetime, description, category, version, id: entry_id } = ledgerEntries;
  const replaced = { replaced_at: Date.now(), replaced_by: by.id };
  const earlier = { entry_id, version, amount, datetime, description, category, ...replaced };
  return statement(db, insertFrom(ledgerHistory, earlier, found));
}

/** The states of the entry before each of its corrections, newest first, logging the access. */
export async function listEntryRevisions(
  db: Database,
  by: Actor,
  id: number,
): Promise<EntryRevision[] | undefined> {
  const { version, amount, datetime, description, category, replaced_at, replaced_by } = ledgerHistory;
  const isIts = eq(ledgerHistory.entry_id, id);
  const detail = jsonObject({ count: db.$count(ledgerHistory, isIts) });
  const [[entry], rows] = await db.commit([
    selectEntry(db, id),
    db
      .select({
        version,
        amount,
        datetime,
        description,
        category,
        replaced_at,
        replaced_by,
        name: users.name,
      })
      .from(ledgerHistory)
      .leftJoin(users, eq(users.id, replaced_by))
      .where(isIts)
      .orderBy(desc(version)),
    logPerRow(
      db,
      by,
      { action: 'read', subject: 'ledger_entry', subject_id: String(id), detail },
      sql`FROM ${ledgerEntries} WHERE ${eq(ledgerEntries.id, id)}`,
    ),
  ]);
  return entry && rows.map(earlierOf);
}

/**
 * The first states of entries that were corrected later or are in the bin, so that an import recognizes them;
 * logs the access. Entries of an undone import are left out, because they may be imported again.
 */
export async function listOriginalEntries(db: Database, by: Actor): Promise<OriginalEntry[]> {
  const { entry_id: id, amount, datetime, description, version } = ledgerHistory;
  const isFirst = eq(version, 1);
  const isByHand = sql`${deletedEntries.entry} ->> 'is_undone' IS NULL`;
  const first = <Value>(name: string) =>
    sql<Value>`coalesce(${deletedEntries.history} -> 0, ${deletedEntries.entry}) ->> ${sql.raw(`'${name}'`)}`.as(
      name,
    );
  const count = sql`${db.$count(ledgerHistory, isFirst)} + ${db.$count(deletedEntries, isByHand)}`;
  const read = { action: 'read', subject: 'ledger_entry', detail: jsonObject({ count }) } as const;
  const [corrected, deleted] = await db.commit([
    db.select({ id, amount, datetime, description }).from(ledgerHistory).where(isFirst).orderBy(id),
    db
      .select({
        id: deletedEntries.id,
        amount: first<number>('amount'),
        datetime: first<string>('datetime'),
        description: first<string>('description'),
      })
      .from(deletedEntries)
      .where(isByHand),
    logPerRow(db, by, read, sql`WHERE true`),
  ]);
  const marked = (entries: typeof deleted, is_deleted: boolean) =>
    entries.map((entry) => Object.assign(entry, { is_deleted }));
  return [...marked(corrected, false), ...marked(deleted, true)];
}

type Row = Omit<typeof ledgerHistory.$inferSelect, 'id' | 'entry_id'> & { name: string | null };

function earlierOf({ replaced_at, replaced_by, name, ...earlier }: Row): EntryRevision {
  const at = new Date(replaced_at).toISOString();
  return { ...earlier, replaced_at: at, replaced_by: { id: replaced_by, name } };
}
