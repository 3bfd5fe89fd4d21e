import type { EntryWithBalance } from '#contract/ledger';
import { monthOf, totalsBy, type PeriodTotal } from '../totals.ts';

export type MonthRow = { kind: 'month'; month: string; total: PeriodTotal };
export type EntryRow = { kind: 'entry'; month: string; entry: EntryWithBalance };
export type TimelineRow = MonthRow | EntryRow;

/** The timeline's rows: each month with its sums, followed by its entries. @param entries newest first */
export function timelineRows(entries: readonly EntryWithBalance[], today: string): TimelineRow[] {
  const totals = totalsBy(entries, today, monthOf);
  const rows: TimelineRow[] = [];
  let last: string | undefined;
  for (const entry of entries) {
    const month = monthOf(entry);
    const total = totals.get(month);
    if (month !== last && total) rows.push({ kind: 'month', month, total });
    last = month;
    rows.push({ kind: 'entry', month, entry });
  }
  return rows;
}

/** Keys that move the focus between rows. */
export const STEP_KEYS = ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End'] as const;
export type StepKey = (typeof STEP_KEYS)[number];

/**
 * The row to which a key moves: the next or previous entry, the first entry of the next or previous month, or
 * the first or last of all entries. If there is no such entry, the focus stays in its row.
 */
export function rowAfterKey(rows: readonly TimelineRow[], at: number, step: StepKey): number {
  const isEntry = (index: number) => rows[index]?.kind === 'entry';
  const isFirstOfMonth = (index: number) => isEntry(index) && rows[index - 1]?.kind === 'month';
  const search = (from: number, by: 1 | -1, fits: (index: number) => boolean) => {
    for (let index = from; index >= 0 && index < rows.length; index += by) if (fits(index)) return index;
    return undefined;
  };
  const found = {
    ArrowDown: () => search(at + 1, 1, isEntry),
    ArrowUp: () => search(at - 1, -1, isEntry),
    PageDown: () => search(at + 1, 1, isFirstOfMonth) ?? search(rows.length - 1, -1, isEntry),
    PageUp: () => search(at - 1, -1, isFirstOfMonth),
    Home: () => search(0, 1, isEntry),
    End: () => search(rows.length - 1, -1, isEntry),
  }[step]();
  return found ?? at;
}

type At<Row> = { row: Row; at: number };
/** The rendered rows of a month, always with the month's header, which sticks to the top. */
export type ShownMonth = { header: At<MonthRow>; entries: At<EntryRow>[] };

/** Groups the rows from `start` to `end` by month; `before` and `after` count the rows that are left out. */
export function shownMonths(
  rows: readonly TimelineRow[],
  start: number,
  end: number,
): { before: number; months: ShownMonth[]; after: number } {
  const months: ShownMonth[] = [];
  let begin = start;
  const open = (at: number): ShownMonth | undefined => {
    const row = rows[at];
    if (row?.kind !== 'month') return undefined;
    const month = { header: { row, at }, entries: [] };
    months.push(month);
    return month;
  };
  for (let at = start; at < end; at += 1) {
    const row = rows[at];
    if (row?.kind === 'month') open(at);
    if (row?.kind !== 'entry') continue;
    if (months.length === 0) {
      open(rows.findLastIndex((each, index) => index < at && each.kind === 'month'));
      begin = Math.max(0, start - 1);
    }
    months.at(-1)?.entries.push({ row, at });
  }
  return { before: begin, months, after: rows.length - end };
}

/** Index of an entry's row, or of the first entry's row if the entry is not listed. */
export function rowIndexOfEntry(rows: readonly TimelineRow[], entryId: number | undefined): number {
  const at = rows.findIndex((row) => row.kind === 'entry' && row.entry.id === entryId);
  return at === -1 ? rows.findIndex(({ kind }) => kind === 'entry') : at;
}
