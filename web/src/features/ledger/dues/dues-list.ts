import { DAY_MS } from '#contract/time';
import type { Due, DuesList, Payment } from '#contract/dues';
import { dateOf, type BookedEntry } from '#contract/ledger';
import { previousTerm, termDays, type Term, termText } from '#contract/terms';
import { toCsv } from '../../../lib/csv.ts';
import { plainWords } from '../../../lib/plain-words.ts';
import { dayText } from '../labels.ts';

/** Days before and after a semester in which its dues may have been paid. */
const MARGIN_DAYS = 60;

/** Deposits with which somebody may have paid: those around the semester, with those that name the person first. */
export function candidatesFor(name: string, entries: readonly BookedEntry[], term: Term): BookedEntry[] {
  const { first, last } = termDays(term);
  const from = Date.parse(first) - MARGIN_DAYS * DAY_MS;
  const to = Date.parse(last) + MARGIN_DAYS * DAY_MS;
  const fitting = entries.filter(({ datetime, amount }) => {
    const day = Date.parse(dateOf(datetime));
    return amount > 0 && day >= from && day <= to;
  });
  return [
    ...fitting.filter((entry) => names(entry, name)),
    ...fitting.filter((entry) => !names(entry, name)),
  ];
}

export const names = ({ description }: BookedEntry, name: string) =>
  description.normalize('NFC').includes(name.normalize('NFC'));

/** The semester and the `count` - 1 before it, newest first. */
export function termsBefore(term: Term, count: number): Term[] {
  const terms = [term];
  while (terms.length < count) terms.push(previousTerm(terms.at(-1) ?? term));
  return terms;
}

/** Names from a text field, separated by line breaks or commas. */
export function readNames(text: string): string[] {
  const all = text
    .normalize('NFC')
    .split(/[,\n\t]/)
    .map((name) => name.trim());
  return [...new Set(all.filter((name) => name !== ''))];
}

/** The names that a user on the list has too. */
export function namesOfUsers(names: readonly string[], dues: readonly Due[]): string[] {
  const users = new Set(dues.filter(({ user_id }) => user_id !== null).map(({ name }) => plainWords(name)));
  return names.filter((name) => users.has(plainWords(name)));
}

/** A row of the dues as the screen and the file show it. */
export type ShownDue = Due & {
  state: '미납' | '납부' | '이중 사용';
  entry: BookedEntry | undefined;
  /** What else the deposit has paid, from before a deposit could pay only one person's dues. */
  others: Payment[];
  /** The user of the same name with whom this row can be merged. */
  joinsUser: number | undefined;
};

export function showDues({ dues, payments }: DuesList, entries: readonly BookedEntry[]): ShownDue[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const paid = paymentsByEntry(payments);
  return dues.map((due) => {
    const { id, entry_id } = due;
    const others = (paid.get(entry_id ?? -1) ?? []).filter(({ due_id }) => due_id !== id);
    const entry = byId.get(entry_id ?? -1);
    const state = entry_id === null ? '미납' : others.length > 0 ? '이중 사용' : '납부';
    return { ...due, state, entry, others, joinsUser: joinsUser(due, dues) };
  });
}

export function paymentsByEntry(payments: readonly Payment[]): Map<number, Payment[]> {
  return Map.groupBy(payments, ({ entry_id }) => entry_id);
}

/** Two people may share a name, so a merge is offered only if no other user has it and not both have paid. */
function joinsUser({ user_id, name, entry_id }: Due, dues: readonly Due[]): number | undefined {
  const [user, ...more] = dues.filter((due) => due.user_id !== null && due.name === name);
  if (user_id !== null || !user || more.length > 0) return undefined;
  return entry_id === null || user.entry_id === null ? (user.user_id ?? undefined) : undefined;
}

/** `2026년 1학기 최나래` */
export const payerText = (payment: Payment) => `${termText(payment)} ${payment.name}`;

export function duesCsv(dues: readonly ShownDue[], term: Term): string {
  const rows = dues.map(({ name, state, entry }) => [
    termText(term),
    name,
    state,
    ...(entry ? [dayText(entry.datetime), entry.amount, entry.description] : ['', '', '']),
  ]);
  return toCsv([['학기', '이름', '상태', '납부일', '금액', '내용'], ...rows]);
}
