import type { Due } from '#contract/dues';
import { dateOf, type BookedEntry } from '#contract/ledger';
import { toCsv } from '../../lib/csv.ts';
import { termDays, termText, type Term } from './totals.ts';
import { dayText } from './words.ts';

/** Days before and after a semester in which its dues may have been paid. */
const MARGIN_DAYS = 60;
const DAY_MS = 86_400_000;

/** The deposits by which somebody may have paid: around the semester, those that name the person first. */
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

export function previousTerm({ year, semester }: Term): Term {
  return semester === 2 ? { year, semester: 1 } : { year: year - 1, semester: 2 };
}

/** Names from a field: each on a line of its own or behind a comma. */
export function readNames(text: string): string[] {
  const all = text
    .normalize('NFC')
    .split(/[,\n\t]/)
    .map((name) => name.trim());
  return [...new Set(all.filter((name) => name !== ''))];
}

export function duesCsv(dues: readonly Due[], entries: readonly BookedEntry[], term: Term): string {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const rows = dues.map(({ name, entry_id }) => {
    const entry = entry_id === null ? undefined : byId.get(entry_id);
    if (!entry) return [termText(term), name, '미납', '', '', ''];
    return [termText(term), name, '납부', dayText(entry.datetime), entry.amount, entry.description];
  });
  return toCsv([['학기', '이름', '상태', '납부일', '금액', '내용'], ...rows]);
}
