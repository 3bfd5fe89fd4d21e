import type { LedgerEntry, LedgerEntryForm } from '#contract/ledger';
import { plainWords } from '../../../lib/search-text.ts';

/** How likely a row is already in the account. */
type Likeness = 'same' | 'alike';
export type Twin = { likeness: Likeness; entry: LedgerEntry };

/**
 * Stored entries that pasted rows probably duplicate, by line: same day and amount, and 'same' with the same texts too.
 * Each stored entry matches at most one row, so that of two equal payments the unstored one remains.
 */
export function findTwins(
  rows: readonly { line: number; entry: LedgerEntryForm }[],
  stored: readonly LedgerEntry[],
): Map<number, Twin> {
  const free = new Map<string, LedgerEntry[]>();
  for (const entry of stored) {
    const key = keyOf(entry);
    free.set(key, [...(free.get(key) ?? []), entry]);
  }
  const twins = new Map<number, Twin>();
  const take = (likeness: Likeness, fits: (row: LedgerEntryForm, entry: LedgerEntry) => boolean) => {
    for (const { line, entry: form } of rows) {
      if (twins.has(line)) continue;
      const candidates = free.get(keyOf(form)) ?? [];
      const at = candidates.findIndex((entry) => fits(form, entry));
      const [entry] = at === -1 ? [] : candidates.splice(at, 1);
      if (entry) twins.set(line, { likeness, entry });
    }
  };
  take('same', (row, entry) => plainWords(row.description) === plainWords(entry.description));
  take('alike', () => true);
  return twins;
}

/** Lines of rows that the account has got since it was last read: 'same' as of `findTwins`. */
export function storedSince(
  rows: Parameters<typeof findTwins>[0],
  before: readonly LedgerEntry[],
  now: readonly LedgerEntry[],
): Set<number> {
  const same = (stored: readonly LedgerEntry[]) =>
    new Set(
      [...findTwins(rows, stored)].flatMap(([line, { likeness }]) => (likeness === 'same' ? [line] : [])),
    );
  return same(now).difference(same(before));
}

const keyOf = ({ datetime, amount }: LedgerEntryForm) => `${datetime} ${amount}`;

/** The entries in the order in which they are posted: by day, and within a day as pasted. */
export function inDateOrder(entries: readonly LedgerEntryForm[]): LedgerEntryForm[] {
  return entries.toSorted((a, b) => (a.datetime < b.datetime ? -1 : a.datetime > b.datetime ? 1 : 0));
}
