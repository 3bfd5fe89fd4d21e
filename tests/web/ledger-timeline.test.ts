import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withBalances, type EntryWithBalance } from '../../contract/ledger.ts';
import {
  rowIndexOfEntry,
  shownMonths,
  rowAfterKey,
  timelineRows,
  type TimelineRow,
} from '../../web/src/features/ledger/book/timeline-rows.ts';
import { propertyRuns } from '../support/counts.ts';

const TODAY = '2026-11-22';
const accountOf = (rows: readonly (readonly [day: string, amount: number])[]): EntryWithBalance[] =>
  withBalances(
    rows
      .toSorted(([a], [b]) => (a < b ? 1 : a > b ? -1 : 0))
      .map(([day, amount], at) => ({
        id: rows.length - at,
        datetime: `${day}T13:00:00`,
        amount,
        description: '',
        category: '',
        version: 1,
      })),
  );
const days = fc
  .date({ min: new Date('2024-11-01'), max: new Date('2027-02-28'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const accounts = fc
  .array(
    fc.tuple(
      days,
      fc.integer({ min: -9, max: 9 }).filter((amount) => amount !== 0),
    ),
    { maxLength: 120 },
  )
  .map(accountOf);

const textOf = (row: TimelineRow) => (row.kind === 'month' ? row.month : row.entry.id);

describe('the timeline', () => {
  const rows = timelineRows(
    accountOf([
      ['2026-12-02', -5],
      ['2026-11-20', 100],
      ['2026-11-01', -30],
      ['2026-09-30', 7],
    ]),
    TODAY,
  );

  test('ACC-15 stands by month with the sums of each, newest first', () => {
    expect(rows.map(textOf)).toEqual(['2026-12', 4, '2026-11', 3, 2, '2026-09', 1]);
    expect(rows.flatMap((row) => (row.kind === 'month' ? [row.total] : []))).toEqual([
      { income: 0n, expense: 5n, count: 1, planned: 1, balance: 72n },
      { income: 100n, expense: 30n, count: 2, planned: 0, balance: 77n },
      { income: 7n, expense: 0n, count: 1, planned: 0, balance: 7n },
    ]);
  });

  test.each([
    ['ArrowDown', [1, 3, 4, 6], [3, 4, 6, 6]],
    ['ArrowUp', [1, 3, 4, 6], [1, 1, 3, 4]],
    ['PageDown', [1, 3, 4, 6], [3, 6, 6, 6]],
    ['PageUp', [1, 3, 4, 6], [1, 1, 3, 3]],
    ['Home', [6], [1]],
    ['End', [1], [6]],
  ] as const)('ACC-15 is walked by %s, over the months', (step, from, to) => {
    expect(from.map((at) => rowAfterKey(rows, at, step))).toEqual(to);
  });

  test('ACC-15 keeps its row while entries come and go, and begins with the newest', () => {
    expect(rowIndexOfEntry(rows, 2)).toBe(4);
    expect(rowIndexOfEntry(rows, 99)).toBe(1);
    expect(rowIndexOfEntry(rows, undefined)).toBe(1);
    expect(rowIndexOfEntry([], 2)).toBe(-1);
  });

  test('ACC-15 shows any part of it under the right months, and keeps the height of the whole', () => {
    fc.assert(
      fc.property(accounts, fc.nat(200), fc.integer({ min: 1, max: 80 }), (entries, from, length) => {
        const all = timelineRows(entries, TODAY);
        const start = Math.min(from, all.length);
        const end = Math.min(all.length, start + length);
        const { before, months, after } = shownMonths(all, start, end);
        const shown = months.flatMap(({ header, entries: own }) => [header, ...own]);
        // A month's header stands above its entries even where it is out of sight.
        const isAbove = start > 0 && all[start]?.kind === 'entry';
        expect(before + shown.length + after).toBe(all.length);
        expect(shown.slice(isAbove ? 1 : 0).map(({ at }) => at)).toEqual(
          Array.from({ length: end - start }, (_, at) => start + at),
        );
        for (const { row, at } of shown) expect(all[at]).toBe(row);
        for (const { header, entries: own } of months)
          for (const { row } of own) expect(row.month).toBe(header.row.month);
      }),
      propertyRuns(200, 5000),
    );
  });

  test('ACC-15 reaches every entry with the arrow keys, there and back', () => {
    fc.assert(
      fc.property(accounts, (entries) => {
        const all = timelineRows(entries, TODAY);
        const places = all.flatMap(({ kind }, at) => (kind === 'entry' ? [at] : []));
        for (const [order, at] of places.entries()) {
          expect(rowAfterKey(all, at, 'ArrowDown')).toBe(places[order + 1] ?? at);
          expect(rowAfterKey(all, at, 'ArrowUp')).toBe(places[order - 1] ?? at);
        }
      }),
      propertyRuns(50, 1000),
    );
  });
});
