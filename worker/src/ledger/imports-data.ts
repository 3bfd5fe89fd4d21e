import type { ConfirmedUndoCounts, StoredLedgerImport } from '#contract/ledger';
import type { Database } from '#db/client';
import { dues, ledgerEntries, ledgerImportEntries, ledgerImports, receipts } from '#db/ledger';
import { users } from '#db/users';
import { count, desc, eq, gt, inArray, lt, max, min, sql, type SQL } from 'drizzle-orm';
import { logImportAuthorsRead } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';
import { deleteEntriesWhere } from './data.ts';

const isLinked = eq(ledgerImportEntries.import_id, ledgerImports.id);
const isTheirEntry = eq(ledgerEntries.id, ledgerImportEntries.entry_id);

function selectImports(db: Database, condition?: SQL) {
  const { id, at, user_id } = ledgerImports;
  const each = (table: typeof receipts | typeof dues) =>
    sql<number>`sum(${db.$count(table, eq(table.entry_id, ledgerEntries.id))})`;
  return db
    .select({
      id,
      at,
      by: sql<string | null>`${users.name}`.as('by'),
      added: count(ledgerImportEntries.entry_id).as('added'),
      entries: count(ledgerEntries.id).as('entries'),
      corrected: sql<number>`sum(coalesce(${ledgerEntries.version}, 1) > 1)`.as('corrected'),
      sum: sql<number>`sum(${ledgerEntries.amount})`.as('sum'),
      first: sql<string>`${min(ledgerEntries.datetime)}`.as('first'),
      last: sql<string>`${max(ledgerEntries.datetime)}`.as('last'),
      receipts: each(receipts).as('receipts'),
      dues: each(dues).as('dues'),
    })
    .from(ledgerImports)
    .innerJoin(ledgerImportEntries, isLinked)
    .leftJoin(ledgerEntries, isTheirEntry)
    .leftJoin(users, eq(users.id, user_id))
    .where(condition)
    .groupBy(id)
    .having(gt(count(ledgerEntries.id), 0))
    .orderBy(desc(id));
}

/** Imports that still have entries, newest first, logging the access to their authors' names. */
export async function listLedgerImports(db: Database, by: Actor): Promise<StoredLedgerImport[]> {
  const [stored] = await db.commit([
    selectImports(db),
    logImportAuthorsRead(db, by, ledgerImports, ledgerImports.user_id),
  ]);
  return stored.map(({ at: time, ...each }) => Object.assign(each, { at: new Date(time).toISOString() }));
}

/**
 * Moves the import's remaining entries to the bin, all or none.
 * @param confirmed the counts that the user confirmed
 * @returns 'changed' if a count has changed since the user saw it
 */
export async function undoLedgerImport(
  db: Database,
  by: Actor,
  id: number,
  confirmed: ConfirmedUndoCounts,
): Promise<'undone' | 'none' | 'changed'> {
  const theirs = db
    .select({ id: ledgerImportEntries.entry_id })
    .from(ledgerImportEntries)
    .where(eq(ledgerImportEntries.import_id, id));
  const isTheirs = sql`${ledgerEntries.id} IN ${theirs}`;
  const taken = (table: typeof receipts | typeof dues) => db.$count(table, inArray(table.entry_id, theirs));
  const now = sql`(${db.$count(ledgerEntries, isTheirs)}, ${taken(receipts)}, ${taken(dues)})`;
  const told = sql`(${confirmed.entries}, ${confirmed.receipts}, ${confirmed.dues})`;
  const removed = await deleteEntriesWhere(db, by, sql`${isTheirs} AND ${now} = ${told}`, { is_undone: 1 });
  if (removed) return 'undone';
  const [left] = await selectImports(db, eq(ledgerImports.id, id));
  return left ? 'changed' : 'none';
}

/** Deletes the record of imports before `limit` (milliseconds since 1970). The entries stay. */
export async function removeLedgerImportsBefore(db: Database, limit: number): Promise<void> {
  await db.commit([db.delete(ledgerImports).where(lt(ledgerImports.at, limit))]);
}
