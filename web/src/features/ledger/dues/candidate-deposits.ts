import { dateOf, type BookedEntry } from '#contract/ledger';
import { termDays, type Term } from '#contract/terms';
import { DAY_MS } from '#contract/time';

/** Dues may be paid this many days before and after the semester. */
const MARGIN_DAYS = 60;

/** Deposits that may have paid a person's dues: around the semester, first those with the person's name. */
export function candidateDeposits(name: string, entries: readonly BookedEntry[], term: Term): BookedEntry[] {
  const { first, last } = termDays(term);
  const from = Date.parse(first) - MARGIN_DAYS * DAY_MS;
  const to = Date.parse(last) + MARGIN_DAYS * DAY_MS;
  const fitting = entries.filter(({ datetime, amount }) => {
    const day = Date.parse(dateOf(datetime));
    return amount > 0 && day >= from && day <= to;
  });
  return [
    ...fitting.filter((entry) => mentionsName(entry, name)),
    ...fitting.filter((entry) => !mentionsName(entry, name)),
  ];
}

export const mentionsName = ({ description }: BookedEntry, name: string) =>
  description.normalize('NFC').includes(name.normalize('NFC'));
