import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withBalances, type LedgerEntry } from '../../worker/contract/ledger.ts';
import { ledgerCsv } from '../../web/src/features/ledger/ledger-csv.ts';
import {
  balancesByDay,
  monthOf,
  statementOf,
  termDays,
  termKey,
  termOf,
  termOfDate,
  totalsBy,
} from '../../web/src/features/ledger/totals.ts';

const options = { seed: 2026, numRuns: process.env['FULL'] === '1' ? 5000 : 200 };

const entry = (id: number, day: string, amount: number, description = '내용'): LedgerEntry => ({
  id,
  datetime: `${day}T13:00:00`,
  amount,
  description,
});
/** Newest first, as the API lists them. */
const booked = withBalances([
  entry(5, '2026-09-01', 500),
  entry(4, '2026-08-31', -300),
  entry(3, '2026-03-02', 200),
  entry(2, '2026-03-02', -50),
  entry(1, '2026-02-28', 1000),
]);

describe('the balance', () => {
  test('ACC-2 stands with each entry and is what all up to it make', () => {
    expect(booked.map(({ balance }) => balance)).toEqual([1350n, 850n, 1150n, 950n, 1000n]);
    expect(booked.map(({ type }) => type)).toEqual(['deposit', 'withdraw', 'deposit', 'withdraw', 'deposit']);
  });

  test('ACC-9 is charted by the end of each day', () => {
    expect(balancesByDay(booked)).toEqual([
      { time: Date.UTC(2026, 1, 28), balance: 1000 },
      { time: Date.UTC(2026, 2, 2), balance: 1150 },
      { time: Date.UTC(2026, 7, 31), balance: 850 },
      { time: Date.UTC(2026, 8, 1), balance: 1350 },
    ]);
    expect(balancesByDay([])).toEqual([]);
  });
});

describe('a semester', () => {
  test.each([
    ['2026-03-01', 2026, 1],
    ['2026-08-31', 2026, 1],
    ['2026-09-01', 2026, 2],
    ['2026-12-31', 2026, 2],
    ['2027-01-01', 2026, 2],
    ['2027-02-28', 2026, 2],
  ])('ACC-9 has the day %s in %i, semester %i', (date, year, semester) => {
    expect(termOfDate(date)).toEqual({ year, semester });
    const { first, last } = termDays(termOfDate(date));
    expect(first <= date && date <= last).toBe(true);
  });

  test('ACC-9 ends with February, however long that is', () => {
    expect(termDays({ year: 2027, semester: 2 }).last).toBe('2028-02-29');
    expect(termDays({ year: 2026, semester: 2 }).last).toBe('2027-02-28');
  });

  test('ACC-9 is closed with what was carried, came, went and is left', () => {
    expect(statementOf(booked, { year: 2026, semester: 1 })).toMatchObject({
      carried: 1000n,
      income: 200n,
      expense: 350n,
      balance: 850n,
      count: 3,
      entries: [{ id: 2 }, { id: 3 }, { id: 4 }],
    });
    expect(statementOf(booked, { year: 2030, semester: 1 })).toMatchObject({
      carried: 1350n,
      balance: 1350n,
      count: 0,
    });
    expect(statementOf([], { year: 2026, semester: 1 })).toMatchObject({ carried: 0n, balance: 0n });
  });

  test('ACC-9 and every month add up to the whole, whatever is booked', () => {
    const days = fc
      .date({ min: new Date('2020-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    const amounts = fc
      .integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 })
      .filter((amount) => amount !== 0);
    fc.assert(
      fc.property(fc.array(fc.tuple(days, amounts), { maxLength: 60 }), (rows) => {
        const entries = withBalances(
          rows
            .toSorted(([a], [b]) => (a < b ? 1 : -1))
            .map(([day, amount], at) => entry(rows.length - at, day, amount)),
        );
        const all = rows.reduce((sum, [, amount]) => sum + BigInt(amount), 0n);
        const byTerm = totalsBy(entries, (each) => termKey(termOf(each)));
        for (const totals of [byTerm, totalsBy(entries, monthOf)]) {
          const net = [...totals.values()].reduce((sum, { income, expense }) => sum + income - expense, 0n);
          expect(net).toBe(all);
        }
        for (const each of entries) {
          const { carried, income, expense, balance } = statementOf(entries, termOf(each));
          expect(carried + income - expense).toBe(balance);
          expect(byTerm.get(termKey(termOf(each)))?.balance).toBe(balance);
        }
      }),
      options,
    );
  });
});

test('ACC-9 SEC-38 the CSV is kept as books are, oldest first, and runs no formula', () => {
  const rows = withBalances([
    entry(2, '2026-03-02', -12_000, '=1+1'),
    entry(1, '2026-03-01', 50_000, '가,나'),
  ]);
  expect(ledgerCsv(rows)).toBe(
    '\ufeff날짜,구분,내용,금액,잔액\r\n2026-03-01,입금,"가,나",50000,50000\r\n2026-03-02,출금,\'=1+1,-12000,38000\r\n',
  );
});
