import { dateOf, isPlanned, type EntryWithBalance } from '#contract/ledger';
import { termDays, termOfDay, type Term } from '#contract/terms';
import { normalizeText } from '#contract/printable-text';

/**
 * Income and expenses of a period in won; `balance` is the account's balance at the end of the period.
 * Planned entries are included; `planned` is their number.
 */
export type PeriodTotal = {
  income: bigint;
  expense: bigint;
  count: number;
  planned: number;
  balance: bigint;
};

export const termKey = ({ year, semester }: Term) => `${year}-${semester}`;
export const monthOf = ({ datetime }: EntryWithBalance) => datetime.slice(0, 7);
export const termOf = ({ datetime }: EntryWithBalance) => termOfDay(dateOf(datetime));
/** The category; empty if it has no visible characters. */
export const categoryOf = ({ category }: Pick<EntryWithBalance, 'category'>) => normalizeText(category);

const nothing = { income: 0n, expense: 0n, count: 0, planned: 0 };

/** Totals grouped by a key, in the order of the entries, which are newest first. */
export function totalsBy(
  entries: readonly EntryWithBalance[],
  today: string,
  keyOf: (entry: EntryWithBalance) => string,
): Map<string, PeriodTotal> {
  const totals = new Map<string, PeriodTotal>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const total = totals.get(key) ?? { ...nothing, balance: entry.balance };
    const amount = BigInt(entry.amount);
    if (amount > 0n) total.income += amount;
    else total.expense -= amount;
    total.count += 1;
    if (isPlanned(entry, today)) total.planned += 1;
    totals.set(key, total);
  }
  return totals;
}

/** Totals by category, largest turnover first, entries without a category last. `balance` has no meaning. */
export function totalsByCategory(
  entries: readonly EntryWithBalance[],
  today: string,
): [category: string, total: PeriodTotal][] {
  const turnover = ({ income, expense }: PeriodTotal) => income + expense;
  return [...totalsBy(entries, today, categoryOf)].toSorted(
    ([a, one], [b, other]) => Number(a === '') - Number(b === '') || Number(turnover(other) - turnover(one)),
  );
}

/** A semester's accounts: the balance before the semester (`carried`), and the entries, oldest first. */
export type TermStatement = PeriodTotal & { term: Term; carried: bigint; entries: EntryWithBalance[] };

/** @param entries newest first */
export function termStatement(
  entries: readonly EntryWithBalance[],
  today: string,
  term: Term,
): TermStatement {
  const { first } = termDays(term);
  const inTerm = entries.filter((entry) => termKey(termOf(entry)) === termKey(term));
  const carried = entries.find(({ datetime }) => dateOf(datetime) < first)?.balance ?? 0n;
  const total = totalsBy(inTerm, today, () => '').get('') ?? { ...nothing, balance: carried };
  return { ...total, term, carried, entries: inTerm.toReversed() };
}

/** The balance at the end of each day with entries, oldest first; `time` is the start of the day in UTC. */
export function balancesByDay(entries: readonly EntryWithBalance[]): { time: number; balance: number }[] {
  const days = new Map<string, bigint>();
  for (const { datetime, balance } of entries.toReversed()) days.set(dateOf(datetime), balance);
  return [...days].map(([date, balance]) => ({ time: Date.parse(date), balance: Number(balance) }));
}
