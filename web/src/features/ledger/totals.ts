import { dateOf, isDate, isPlanned, type BookedEntry } from '#contract/ledger';

/**
 * What came in and went out in a stretch of time, in won; `balance` is the account's at its end. What is planned is
 * in it, and `planned` counts how many entries that are.
 */
export type Total = { income: bigint; expense: bigint; count: number; planned: number; balance: bigint };

/** March to August is the first semester; the second one goes on into February of the next year. */
export type Term = { year: number; semester: 1 | 2 };

export function termOfDate(date: string): Term {
  const year = Number(date.slice(0, 4));
  const month = Number(date.slice(5, 7));
  if (month >= 3 && month <= 8) return { year, semester: 1 };
  return { year: month <= 2 ? year - 1 : year, semester: 2 };
}

export const termKey = ({ year, semester }: Term) => `${year}-${semester}`;
export const termText = ({ year, semester }: Term) => `${year}년 ${semester}학기`;
export const monthOf = ({ datetime }: BookedEntry) => datetime.slice(0, 7);
export const termOf = ({ datetime }: BookedEntry) => termOfDate(dateOf(datetime));

/** First and last day of a term. */
export function termDays({ year, semester }: Term): { first: string; last: string } {
  // An entry of an earlier version may have any year of the calendar.
  const of = (aYear: number, day: string) => `${String(aYear).padStart(4, '0')}-${day}`;
  if (semester === 1) return { first: of(year, '03-01'), last: of(year, '08-31') };
  const leapDay = of(year + 1, '02-29');
  return { first: of(year, '09-01'), last: isDate(leapDay) ? leapDay : of(year + 1, '02-28') };
}

const nothing = { income: 0n, expense: 0n, count: 0, planned: 0 };

/** Totals by whatever a key says of an entry, in the order of the entries, which are newest first. */
export function totalsBy(
  entries: readonly BookedEntry[],
  today: string,
  keyOf: (entry: BookedEntry) => string,
): Map<string, Total> {
  const totals = new Map<string, Total>();
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

/** A semester's books: what was carried into it, what came and went, oldest first, and what is left. */
export type Statement = Total & { term: Term; carried: bigint; entries: BookedEntry[] };

/** @param entries newest first */
export function statementOf(entries: readonly BookedEntry[], today: string, term: Term): Statement {
  const { first } = termDays(term);
  const inTerm = entries.filter((entry) => termKey(termOf(entry)) === termKey(term));
  const carried = entries.find(({ datetime }) => dateOf(datetime) < first)?.balance ?? 0n;
  const total = totalsBy(inTerm, today, () => '').get('') ?? { ...nothing, balance: carried };
  return { ...total, term, carried, entries: inTerm.toReversed() };
}

/** The balance at the end of each day that has entries, oldest first; `time` is the day's beginning in UTC. */
export function balancesByDay(entries: readonly BookedEntry[]): { time: number; balance: number }[] {
  const days = new Map<string, bigint>();
  for (const { datetime, balance } of entries.toReversed()) days.set(dateOf(datetime), balance);
  return [...days].map(([date, balance]) => ({ time: Date.parse(date), balance: Number(balance) }));
}
