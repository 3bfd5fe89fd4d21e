import { isSameText } from '#contract/printable-text';
import type { Due, DuesPaymentForm, DuesList, DuesPayment } from '#contract/dues';
import type { EntryWithBalance } from '#contract/ledger';
import { previousTerm, type Term, termText } from '#contract/terms';
import { toCsv } from '../../../lib/csv.ts';
import { dayText } from '../labels.ts';
import { groupBy } from '../../../lib/collections.ts';

/** The semester and the `count` - 1 semesters before it, newest first. */
export function termsBefore(term: Term, count: number): Term[] {
  const terms = [term];
  while (terms.length < count) terms.push(previousTerm(terms.at(-1) ?? term));
  return terms;
}

/** A row of the dues as shown on the screen and in the file. */
export type ShownDue = Due & {
  state: '미납' | '납부' | '이중 사용';
  entry: EntryWithBalance | undefined;
  /** The part of the deposit that paid these dues, in won. */
  share: number | undefined;
  /** Other payments from the same deposit. */
  others: DuesPayment[];
  /** Id of the user with the same name whose row can be merged with this row. */
  joinsUser: number | undefined;
};

export const dueKey = ({ id, user_id }: Due) => (user_id === null ? `name-${id}` : `user-${user_id}`);

export function shownDues({ dues, payments }: DuesList, entries: readonly EntryWithBalance[]): ShownDue[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const paid = paymentsByEntry(payments);
  return dues.map((due) => {
    const { id, entry_id } = due;
    const all = paid.get(entry_id ?? -1) ?? [];
    const others = all.filter(({ due_id }) => due_id !== id);
    const entry = byId.get(entry_id ?? -1);
    // Before deposits could be divided, a deposit could be used twice.
    const isOver = entry !== undefined && others.length > 0 && unusedDeposit(entry, all) < 0;
    const state = entry_id === null ? '미납' : isOver ? '이중 사용' : '납부';
    const share = entry && paymentShare(due, entry);
    return { ...due, state, entry, share, others, joinsUser: joinsUser(due, dues) };
  });
}

export function paymentsByEntry(payments: readonly DuesPayment[]): Map<number, DuesPayment[]> {
  return groupBy(payments, ({ entry_id }) => entry_id);
}

/** The share of a deposit that a payment uses, in won. A payment without an amount uses the whole deposit. */
export const paymentShare = (
  { amount }: Pick<DuesPayment, 'amount'>,
  entry: Pick<EntryWithBalance, 'amount'>,
) => amount ?? entry.amount;

/** The unused rest of a deposit, in won. */
export const unusedDeposit = (
  entry: Pick<EntryWithBalance, 'amount'>,
  payments: readonly Pick<DuesPayment, 'amount'>[],
) => payments.reduce((rest, payment) => rest - paymentShare(payment, entry), entry.amount);

/** What one person usually pays this semester, in won: the most frequent share; undefined without one. */
export function mostFrequentShare(dues: readonly Pick<ShownDue, 'share'>[]): number | undefined {
  return mostFrequent(dues.flatMap(({ share }) => share ?? []));
}

/** The most frequent value; undefined if two values are equally frequent. */
export function mostFrequent(values: readonly number[]): number | undefined {
  const counts = [...groupBy(values, (value) => value)].map(([value, all]) => ({
    value,
    count: all.length,
  }));
  const [first, second] = counts.toSorted((a, b) => b.count - a.count);
  return first && first.count !== second?.count ? first.value : undefined;
}

/** Two people may share a name, so rows merge only if one user has the name and at most one row is paid. */
function joinsUser({ user_id, name, entry_id }: Due, dues: readonly Due[]): number | undefined {
  const [user, ...more] = dues.filter((due) => due.user_id !== null && isSameText(due.name, name));
  if (user_id !== null || !user || more.length > 0) return undefined;
  return entry_id === null || user.entry_id === null ? (user.user_id ?? undefined) : undefined;
}

/** The API's request body for a payment from a deposit or a share of it; null removes the payment. */
export function duesPaymentFormOf(
  { id, user_id }: Due,
  entryId: number | null,
  share?: number,
): DuesPaymentForm {
  const paid = { entry_id: entryId, ...(share !== undefined && { amount: share }) };
  return user_id === null ? { id: id ?? 0, ...paid } : { user_id, ...paid };
}

/** `2026년 1학기 최나래` */
export const payerText = (payment: DuesPayment) => `${termText(payment)} ${payment.name}`;

export function duesCsv(dues: readonly ShownDue[], term: Term): string {
  const rows = dues.map(({ name, state, entry, share }) => [
    termText(term),
    name,
    state,
    ...(entry ? [dayText(entry.datetime), share ?? '', entry.description] : ['', '', '']),
  ]);
  return toCsv([['학기', '이름', '상태', '납부일', '금액', '내용'], ...rows]);
}
