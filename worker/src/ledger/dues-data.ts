import { hasAccess, LEVELS, MEMBER } from '#contract/access-levels';
import type {
  Due,
  DuesMergeForm,
  DuesPaymentForm,
  DuesExportForm,
  DuesList,
  DuesPayment,
} from '#contract/dues';
import type { LedgerEntry } from '#contract/ledger';
import { isSameText } from '#contract/printable-text';
import { statement, type Database } from '#db/client';
import { dues, ledgerEntries } from '#db/ledger';
import { users } from '#db/users';
import { insertFrom, toInt, jsonObject } from '#db/sql';
import {
  and,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  notExists,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/sqlite-core';
import { logAction, logPerRow, logReadUnlessChanged, maskStoredPeople } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';

type DuesTerm = { year: number; semester: number };

const LAB_LEVELS = LEVELS.filter((level) => hasAccess(level, MEMBER));

/** Dues of people without an account: entered by name, or left by a deleted user if the dues are paid. */
const IS_TYPED = and(isNull(dues.user_id), or(isNotNull(dues.entry_id), isNull(dues.user_deleted_at)));

const isOf = ({ year, semester }: DuesTerm) => and(eq(dues.year, year), eq(dues.semester, semester));

/**
 * The dues list of a term: people entered by name, and the lab's users. A user has no row in `dues`, and so
 * no id, until the user pays. A person who has paid stays on the list after leaving the lab.
 */
function selectDues(db: Database, term: DuesTerm) {
  const { id, user_id, name, entry_id } = dues;
  const amount = sql<number | null>`iif(${entry_id} IS NULL, NULL, ${dues.amount})`.as('amount');
  return unionAll(
    db
      .select({ id, user_id, name, entry_id, amount, is_typed: sql<number>`1`.as('is_typed') })
      .from(dues)
      .where(and(isOf(term), IS_TYPED)),
    db
      .select({
        id: sql<number>`${id}`,
        user_id: users.id,
        name: users.name,
        entry_id,
        amount,
        is_typed: sql<number>`0`,
      })
      .from(users)
      .leftJoin(dues, and(eq(user_id, users.id), isOf(term)))
      .where(or(inArray(users.secure_level, LAB_LEVELS), isNotNull(entry_id))),
  );
}

/** The payments of all terms. D1 returns batch rows by column name, so each column needs a unique name. */
export const selectPayments = (db: Database, condition?: SQL) =>
  db
    .select({
      due_id: sql<number>`${dues.id}`.as('due_id'),
      entry_id: sql<number>`${dues.entry_id}`.as('entry_id'),
      amount: dues.amount,
      year: dues.year,
      semester: dues.semester,
      name: sql<string>`coalesce(${users.name}, ${dues.name})`.as('name'),
    })
    .from(dues)
    .leftJoin(users, eq(users.id, dues.user_id))
    .where(and(isNotNull(dues.entry_id), condition));

const selectList = (db: Database, term: DuesTerm) =>
  [
    selectDues(db, term).orderBy(({ is_typed, name, user_id, id }) => [is_typed, name, user_id, id]),
    selectPayments(db),
  ] as const;

const listOf = (list: Due[], payments: DuesPayment[]): DuesList => ({
  dues: list.map(({ id, user_id, name, entry_id, amount }) => ({ id, user_id, name, entry_id, amount })),
  payments,
});

const filterOf = ({ year, semester }: DuesTerm) =>
  jsonObject({ year: toInt(year), semester: toInt(semester) });

/** Logs a read when the list was not changed but its people are shown in the response. */
const readOf = (db: Database, by: Actor, term: DuesTerm, isTold = sql`true`) =>
  logReadUnlessChanged(
    db,
    by,
    { subject: 'due', detail: jsonObject({ filter: filterOf(term) }) },
    sql`WHERE ${isTold}`,
  );

export async function listDues(db: Database, by: Actor, term: DuesTerm): Promise<DuesList> {
  const count = db.$count(selectDues(db, term).as('dues'));
  const [, list, payments] = await db.commit([
    logAction(db, by, {
      action: 'read',
      subject: 'due',
      detail: jsonObject({ filter: filterOf(term), count }),
    }),
    ...selectList(db, term),
  ]);
  return listOf(list, payments);
}

/**
 * Adds people who are not users, each name once per semester. The log gets only their number, because nothing
 * can be deleted from the log.
 */
export async function addDueNames(
  db: Database,
  by: Actor,
  term: DuesTerm,
  names: string[],
): Promise<DuesList> {
  const known = db
    .select({ name: dues.name })
    .from(dues)
    .where(and(isOf(term), IS_TYPED));
  const added = sql`FROM (SELECT DISTINCT value FROM json_each(${JSON.stringify(names)}) WHERE value NOT IN ${known})`;
  const detail = jsonObject({ filter: filterOf(term), added: sql`count(*)` });
  const [, , , list, payments] = await db.commit([
    logPerRow(db, by, { action: 'create', subject: 'due', detail }, sql`${added} HAVING count(*) > 0`),
    readOf(db, by, term),
    statement(db, insertFrom(dues, { ...term, name: sql`value` }, added)),
    ...selectList(db, term),
  ]);
  return listOf(list, payments);
}

/** Why payments are refused. `left`: how much of the deposit other payments leave, in won. */
export type PaymentRefusal =
  | { kind: 'unknown' }
  | { kind: 'no-deposit' }
  | { kind: 'taken'; deposit: Pick<LedgerEntry, 'amount'>; left: number; others: DuesPayment[] };

/**
 * Records which deposits paid whose dues, all of them or none; an entry of null withdraws a payment. The same
 * statement checks that each deposit has enough left, so of two concurrent requests one is refused.
 */
export async function payDues(
  db: Database,
  by: Actor,
  term: DuesTerm,
  payments: DuesPaymentForm[],
): Promise<DuesList | PaymentRefusal> {
  const due = selectDues(db, term).as('due');
  const sent = (name: string) => sql`sent.value ->> ${sql.raw(`'${name}'`)}`;
  const paying = sql`(SELECT ${due.id} AS id, ${due.user_id} AS user_id, ${due.name} AS name,
      ${due.entry_id} AS entry_before, ${sent('entry_id')} AS entry_id,
      iif(${sent('entry_id')} IS NULL, NULL, ${sent('amount')}) AS amount
    FROM json_each(${JSON.stringify(payments)}) AS sent JOIN ${due}
      ON iif(${sent('user_id')} IS NULL, ${due.user_id} IS NULL AND ${due.id} = ${sent('id')}, ${due.user_id} = ${sent('user_id')}))`;
  const entryIds = [...new Set(payments.flatMap(({ entry_id }) => entry_id ?? []))];
  const isSent = sql`${ledgerEntries.id} IN (SELECT value FROM json_each(${JSON.stringify(entryIds)}))`;
  const deposits = db
    .select({ id: ledgerEntries.id })
    .from(ledgerEntries)
    .where(and(isSent, gt(ledgerEntries.amount, 0)));
  const isOther = sql`${dues.id} NOT IN (SELECT id FROM ${paying} WHERE id IS NOT NULL)`;
  const sumOf = (rows: SQL) =>
    sql`coalesce((SELECT sum(coalesce(amount, ${ledgerEntries.amount})) FROM ${rows}), 0)`;
  const left = sql<number>`${ledgerEntries.amount} - ${sumOf(sql`${dues} WHERE ${dues.entry_id} = ${ledgerEntries.id} AND ${isOther}`)}`;
  const isOver = sql`${left} < ${sumOf(sql`${paying} AS paying WHERE paying.entry_id = ${ledgerEntries.id}`)}`;
  const over = db
    .select({
      id: ledgerEntries.id,
      amount: ledgerEntries.amount,
      left: left.as('left'),
    })
    .from(ledgerEntries)
    .where(and(isSent, isOver));
  const areAllKnown = sql`(SELECT count(*) FROM ${paying}) = ${payments.length}`;
  const areDeposits = sql`(SELECT count(*) FROM ${deposits}) = ${entryIds.length}`;
  const found = sql`FROM ${paying} AS paying WHERE ${and(areAllKnown, areDeposits, notExists(over))}`;
  const detail = sql`json_patch(${jsonObject({
    filter: filterOf(term),
    entry: sql`json_array(paying.entry_before, paying.entry_id)`,
  })}, ${jsonObject({ due: sql`iif(paying.user_id IS NULL, paying.id, NULL)`, paid: sql`paying.amount` })})`;
  const row = {
    id: sql`paying.id`,
    ...term,
    user_id: sql`paying.user_id`,
    name: sql`paying.name`,
    entry_id: sql`paying.entry_id`,
    amount: sql`paying.amount`,
  };
  const [, , written, entries, [tooMuch], others, list, all] = await db.commit([
    logPerRow(
      db,
      by,
      { action: 'change', subject: 'due', subject_id: sql`CAST(paying.user_id AS TEXT)`, detail },
      found,
    ),
    readOf(db, by, term, exists(over)),
    statement<{ id: number }>(
      db,
      sql`${insertFrom(dues, row, found)}
        ON CONFLICT (id) DO UPDATE SET entry_id = excluded.entry_id, amount = excluded.amount RETURNING id`,
    ),
    deposits,
    over,
    selectPayments(
      db,
      and(sql`${dues.entry_id} IN (SELECT value FROM json_each(${JSON.stringify(entryIds)}))`, isOther),
    ),
    ...selectList(db, term),
  ]);
  if (written.length === payments.length) return listOf(list, all);
  if (entries.length < entryIds.length) return { kind: 'no-deposit' };
  if (!tooMuch) return { kind: 'unknown' };
  const { id, left: free, ...deposit } = tooMuch;
  return { kind: 'taken', deposit, left: free, others: others.filter((other) => other.entry_id === id) };
}

/**
 * Merges a user's row with a row of the same name without a user, which was entered earlier or left by a
 * deleted account. A payment on either row becomes the user's.
 * @returns 'unknown' if one of them is not on the list, 'different' if both have paid or the names differ
 */
export async function mergeDues(
  db: Database,
  by: Actor,
  term: DuesTerm,
  { id, user_id }: DuesMergeForm,
): Promise<DuesList | 'unknown' | 'different'> {
  const due = selectDues(db, term).as('due');
  const own = selectDues(db, term).as('own');
  const isNamed = and(eq(due.id, id), isNull(due.user_id));
  // Names are compared here, because SQLite cannot normalize Unicode; the SQL then requires these names.
  const names = await db
    .select({ name: due.name, user: due.user_id })
    .from(due)
    .where(or(isNamed, eq(due.user_id, user_id)));
  const [typed, user] = [names.find((each) => each.user === null), names.find((each) => each.user !== null)];
  const areSame = typed && user && isSameText(typed.name, user.name);
  const isUnpaid = or(isNull(due.entry_id), isNull(own.entry_id));
  const isPair = areSame ? and(eq(due.name, typed.name), eq(own.name, user.name)) : sql`FALSE`;
  const pair = sql`FROM ${due} JOIN ${own} ON ${isPair} AND ${eq(own.user_id, user_id)}
    WHERE ${and(isNamed, isUnpaid)}`;
  const detail = jsonObject({
    filter: filterOf(term),
    due: due.id,
    entry: sql`json_array(${own.entry_id}, coalesce(${own.entry_id}, ${due.entry_id}))`,
  });
  const [, dropped, joined, both, list, payments] = await db.commit([
    logPerRow(db, by, { action: 'change', subject: 'due', subject_id: String(user_id), detail }, pair),
    // Delete the unpaid row; the user may not have a row.
    db
      .delete(dues)
      .where(eq(dues.id, sql`(SELECT iif(${due.entry_id} IS NULL, ${due.id}, ${own.id}) ${pair})`))
      .returning({ id: dues.id }),
    db
      .update(dues)
      .set({ user_id, user_deleted_at: null })
      .where(eq(dues.id, sql`(SELECT ${due.id} ${pair})`))
      .returning({ id: dues.id }),
    db
      .select({ id: due.id })
      .from(due)
      .where(or(isNamed, eq(due.user_id, user_id))),
    ...selectList(db, term),
  ]);
  if (dropped.length === 1 || joined.length === 1) return listOf(list, payments);
  return both.length === 2 ? 'different' : 'unknown';
}

/** Removes a person entered by name from the semester; false if there is no such id. */
export async function deleteDueName(db: Database, by: Actor, id: number): Promise<boolean> {
  const isIt = and(eq(dues.id, id), IS_TYPED);
  const detail = jsonObject({
    filter: jsonObject({ year: dues.year, semester: dues.semester }),
    due: dues.id,
    entry: sql`json_array(${dues.entry_id}, NULL)`,
  });
  const [, deleted] = await db.commit([
    logPerRow(db, by, { action: 'delete', subject: 'due', detail }, sql`FROM ${dues} WHERE ${isIt}`),
    db.delete(dues).where(isIt).returning({ id: dues.id }),
  ]);
  return deleted.length === 1;
}

export async function logDuesExport(
  db: Database,
  by: Actor,
  { year, semester }: DuesTerm,
  { reason, printed }: DuesExportForm,
): Promise<void> {
  const said = await maskStoredPeople(db, reason);
  const detail = JSON.stringify({ filter: { year, semester }, reason: said, ...(printed && { printed }) });
  await db.commit([logAction(db, by, { action: 'export', subject: 'due', detail })]);
}

/**
 * Removes the names of users deleted before `limit` (milliseconds since 1970) from the dues. Payments stay.
 * @returns the number of removed names
 */
export async function removeDeletedUserNames(db: Database, by: Actor, limit: number): Promise<number> {
  const isOverdue = lt(dues.user_deleted_at, limit);
  const detail = jsonObject({ names: sql`count(*)` });
  const [, dropped, forgotten] = await db.commit([
    logPerRow(
      db,
      by,
      { action: 'delete', subject: 'due', detail },
      sql`FROM ${dues} WHERE ${isOverdue} HAVING count(*) > 0`,
    ),
    db.delete(dues).where(and(isOverdue, isNull(dues.entry_id))),
    db.update(dues).set({ name: NOBODY, user_deleted_at: null }).where(isOverdue),
  ]);
  return dropped.meta.changes + forgotten.meta.changes;
}

/** Replaces a name that may no longer be stored. */
const NOBODY = '삭제된 사용자';
