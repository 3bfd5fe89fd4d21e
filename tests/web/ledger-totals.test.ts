import { seoulDay } from '#contract/time';
import { termDays, termOfDay } from '#contract/terms';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  balanceOn,
  isAllowedDate,
  isPlanned,
  withBalances,
  type LedgerEntry,
} from '../../contract/ledger.ts';
import {
  emptyEntryDraft,
  entryDraftProblems,
  nextEntryDraft,
} from '../../web/src/features/ledger/book/entry-draft.ts';
import { ledgerCsv } from '../../web/src/features/ledger/report/ledger-csv.ts';
import {
  balancesByDay,
  monthOf,
  termStatement,
  termKey,
  termOf,
  totalsBy,
} from '../../web/src/features/ledger/totals.ts';
import { propertyRuns } from '../support/counts.ts';

const options = propertyRuns(200, 5000);

const entry = (id: number, day: string, amount: number, description = '내용'): LedgerEntry => ({
  id,
  datetime: `${day}T13:00:00`,
  amount,
  description,
  category: '',
  version: 1,
});
const TODAY = '2026-11-22';
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
    expect(termOfDay(date)).toEqual({ year, semester });
    const { first, last } = termDays(termOfDay(date));
    expect(first <= date && date <= last).toBe(true);
  });

  test('ACC-9 ends with February, however long that is', () => {
    expect(termDays({ year: 2027, semester: 2 }).last).toBe('2028-02-29');
    expect(termDays({ year: 2026, semester: 2 }).last).toBe('2027-02-28');
  });

  test('ACC-9 is closed with what was carried, came, went and is left', () => {
    expect(termStatement(booked, TODAY, { year: 2026, semester: 1 })).toMatchObject({
      carried: 1000n,
      income: 200n,
      expense: 350n,
      balance: 850n,
      count: 3,
      entries: [{ id: 2 }, { id: 3 }, { id: 4 }],
    });
    expect(termStatement(booked, TODAY, { year: 2030, semester: 1 })).toMatchObject({
      carried: 1350n,
      balance: 1350n,
      count: 0,
    });
    expect(termStatement([], TODAY, { year: 2026, semester: 1 })).toMatchObject({ carried: 0n, balance: 0n });
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
        const byTerm = totalsBy(entries, TODAY, (each) => termKey(termOf(each)));
        for (const totals of [byTerm, totalsBy(entries, TODAY, monthOf)]) {
          const net = [...totals.values()].reduce((sum, { income, expense }) => sum + income - expense, 0n);
          expect(net).toBe(all);
        }
        for (const each of entries) {
          const { carried, income, expense, balance } = termStatement(entries, TODAY, termOf(each));
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
  expect(ledgerCsv(rows, TODAY)).toBe(
    '\ufeff날짜,구분,내용,분류,금액,잔액,비고\r\n2026-03-01,입금,"가,나",,50000,50000,\r\n2026-03-02,출금,\'=1+1,,-12000,38000,\r\n',
  );
});

describe('a day of money', () => {
  const dayAfter = (day: string, ahead: number) =>
    new Date(Date.parse(day) + ahead * 86_400_000).toISOString().slice(0, 10);
  const days = fc
    .date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));

  test('ACC-17 begins in Seoul, not in Greenwich', () => {
    expect(seoulDay(Date.parse('2026-12-31T14:59:59.999Z'))).toBe('2026-12-31');
    expect(seoulDay(Date.parse('2026-12-31T15:00:00Z'))).toBe('2027-01-01');
  });

  test('ACC-17 lies between 2000 and the end of next year, whatever day it is', () => {
    const todays = fc
      .date({ min: new Date('2001-01-01'), max: new Date('2090-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    fc.assert(
      fc.property(days, todays, (date, today) => {
        const year = Number(date.slice(0, 4));
        const isRight = year >= 2000 && year <= Number(today.slice(0, 4)) + 1;
        expect(isAllowedDate(date, today)).toBe(isRight);
        const draft = { type: 'deposit', date, amount: '1', description: 'x', category: '' } as const;
        const { date: problem } = entryDraftProblems(draft, today);
        expect(problem?.slice(0, 10)).toBe(isRight ? undefined : date);
        expect(nextEntryDraft(draft, today)).toEqual({
          ...emptyEntryDraft(date > today ? today : date),
          type: 'deposit',
        });
      }),
      options,
    );
  });

  test('ACC-17 to come is not in the balance of today, and every sum agrees with it, whatever is stored', () => {
    const rowsOf = fc.array(
      fc.tuple(
        fc.oneof(
          days,
          fc.integer({ min: -400, max: 400 }).map((ahead) => dayAfter(TODAY, ahead)),
        ),
        fc.integer({ min: 1, max: 1_000_000_000_000 }),
        fc.boolean(),
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(rowsOf, (rows) => {
        const entries = withBalances(
          rows
            .toSorted(([a], [b]) => (a < b ? 1 : -1))
            .map(([day, amount, isIn], at) => entry(rows.length - at, day, isIn ? amount : -amount)),
        );
        const sum = (list: { amount: number }[]) =>
          list.reduce((all, { amount }) => all + BigInt(amount), 0n);
        const past = entries.filter((each) => !isPlanned(each, TODAY));
        expect(balanceOn(entries, TODAY)).toBe(sum(past));
        expect(balanceOn(entries, TODAY)).toBe(withBalances(past)[0]?.balance ?? 0n);
        expect(entries[0]?.balance ?? 0n).toBe(sum(entries));
        const chart = balancesByDay(entries).filter(({ time }) => time <= Date.parse(TODAY));
        expect(chart.at(-1)?.balance ?? 0).toBe(Number(sum(past)));
        const lines = ledgerCsv(entries, TODAY).slice(1).split('\r\n').slice(1, -1);
        const inPast = lines.map((line) => line.split(',')).filter(([day = '']) => day <= TODAY);
        expect(BigInt(inPast.at(-1)?.[5] ?? 0)).toBe(sum(past));
        const planned = entries.length - past.length;
        const terms = [...totalsBy(entries, TODAY, (each) => termKey(termOf(each))).values()];
        expect(terms.reduce((all, each) => all + each.planned, 0)).toBe(planned);
        for (const each of entries) {
          const statement = termStatement(entries, TODAY, termOf(each));
          expect(statement.entries).toContain(each);
          expect(statement.carried + statement.income - statement.expense).toBe(statement.balance);
          expect(statement.planned).toBe(statement.entries.filter((one) => isPlanned(one, TODAY)).length);
        }
      }),
      options,
    );
  });

  test('ACC-17 is marked in the CSV when it is to come or cannot be right', () => {
    const rows = withBalances([
      entry(3, '2050-01-01', 3),
      entry(2, '2026-11-23', 2),
      entry(1, '0302-02-06', 1),
    ]);
    const marks = ledgerCsv(rows, TODAY)
      .split('\r\n')
      .map((line) => line.split(',')[6]);
    expect(marks).toEqual(['비고', '날짜 확인', '예정', '날짜 확인', undefined]);
  });
});
