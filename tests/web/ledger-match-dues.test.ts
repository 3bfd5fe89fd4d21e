import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Due, DuesPayment } from '../../contract/dues.ts';
import { withBalances } from '../../contract/ledger.ts';
import { mostFrequent, unusedDeposit, shownDues } from '../../web/src/features/ledger/dues/dues-list.ts';
import { matchDues } from '../../web/src/features/ledger/dues/match-dues.ts';
import { shareProblem } from '../../web/src/features/ledger/dues/pay-dialog.tsx';
import { propertyRuns } from '../support/counts.ts';

const term = { year: 2026, semester: 1 } as const;

const accountOf = (...deposits: [amount: number, description: string][]) =>
  withBalances(
    deposits.map(([amount, description], at) => ({
      id: deposits.length - at,
      datetime: '2026-03-05T13:00:00',
      amount,
      description,
      category: '',
      version: 1,
    })),
  );
const unpaid = (...names: string[]): Due[] =>
  names.map((name, at) => ({ id: at + 1, user_id: null, name, entry_id: null, amount: null }));

function matched(
  dues: Due[],
  entries: ReturnType<typeof accountOf>,
  payments: DuesPayment[] = [],
): [name: string, words: string, share: number, isSure: boolean][] {
  const shown = shownDues({ dues, payments }, entries);
  return matchDues(shown, entries, payments, term).map(({ due, entry, share, isSure }) => [
    due.name,
    entry.description,
    share,
    isSure,
  ]);
}

describe('the deposits of people who have not paid', () => {
  test('ACC-13 are those that name them with the usual amount: twelve are found at once', () => {
    const names = Array.from({ length: 12 }, (_, at) => `회원${String.fromCodePoint(0xac00 + at * 28)}`);
    const entries = accountOf(...names.map((name): [number, string] => [50_000, `회비 ${name}`]));
    expect(matched(unpaid(...names), entries)).toHaveLength(12);
    expect(
      matched(unpaid(...names), entries).every(([, , share, isSure]) => share === 50_000 && isSure),
    ).toBe(true);
  });

  test('ACC-13 are those that name the semester, and how many others there are is told', () => {
    const entries = accountOf(
      [50_000, '2026년 2학기 회비 최나래'],
      [50_000, '2026년 1학기 회비 최나래'],
      [50_000, '회비 최나래'],
      [50_000, '2학기 회비 정마루'],
    );
    const shown = shownDues({ dues: unpaid('최나래', '정마루'), payments: [] }, entries);
    expect(
      matchDues(shown, entries, [], term).map(({ entry, isSure, others }) => [
        entry.description,
        isSure,
        others,
      ]),
    ).toEqual([
      ['2026년 1학기 회비 최나래', true, 2],
      ['2학기 회비 정마루', false, 0],
    ]);
  });

  test('ACC-13 are divided where one names several, when it holds the dues of each', () => {
    const entries = accountOf([100_000, '최나래 오다솜 회비'], [50_000, '정마루']);
    expect(matched(unpaid('최나래', '오다솜', '정마루'), entries)).toEqual([
      ['최나래', '최나래 오다솜 회비', 50_000, true],
      ['오다솜', '최나래 오다솜 회비', 50_000, true],
      ['정마루', '정마루', 50_000, true],
    ]);
  });

  test.each<[string, Due[], [number, string][]]>([
    [
      'another amount',
      unpaid('가람', '나래', '다솜'),
      [
        [50_000, '가람'],
        [50_000, '나래'],
        [30_000, '다솜'],
      ],
    ],
    [
      'two deposits of the same amount',
      unpaid('가람', '나래', '다솜'),
      [
        [50_000, '가람'],
        [50_000, '나래'],
        [50_000, '다솜'],
        [50_000, '다솜'],
      ],
    ],
    [
      'more than the usual',
      unpaid('가람', '나래', '다솜'),
      [
        [50_000, '가람'],
        [50_000, '나래'],
        [100_000, '다솜'],
      ],
    ],
  ])('ACC-13 are offered but not chosen for somebody with %s', (_, dues, deposits) => {
    const sure = matched(dues, accountOf(...deposits)).map(([name, , , isSure]) => [name, isSure]);
    expect(Object.fromEntries(sure)).toEqual({ 가람: true, 나래: true, 다솜: false });
  });

  test('ACC-13 are not guessed by a name inside another, or by one that two people have', () => {
    expect(matched(unpaid('김민', '김민수'), accountOf([50_000, '회비 김민수']))).toEqual([
      ['김민수', '회비 김민수', 50_000, true],
    ]);
    expect(matched(unpaid('최나래', '최나래'), accountOf([50_000, '회비 최나래']))).toEqual([]);
    // Who has paid already is known too.
    const paid: Due = { id: 9, user_id: null, name: '김민수', entry_id: 2, amount: null };
    const entries = accountOf([50_000, '김민수 3월'], [50_000, '김민수 2월']);
    expect(matched([...unpaid('김민'), paid], entries)).toEqual([]);
  });

  test('ACC-13 are those that have something left', () => {
    const entries = accountOf([100_000, '최나래 오다솜 회비']);
    const other = { due_id: 7, entry_id: 1, year: 2026, semester: 1, name: '오다솜' };
    expect(matched(unpaid('최나래'), entries, [{ ...other, amount: null }])).toEqual([]);
    expect(matched(unpaid('최나래'), entries, [{ ...other, amount: 60_000 }])).toEqual([
      ['최나래', '최나래 오다솜 회비', 40_000, true],
    ]);
  });

  test('ACC-13 are never used beyond their amount, whatever they are called', () => {
    const names = ['가람', '나래', '다솜', '가람솔'];
    const words = fc
      .array(fc.constantFrom(...names, '회비', ' '), { maxLength: 5 })
      .map((all) => all.join(' '));
    const deposits = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), words), { maxLength: 6 });
    fc.assert(
      fc.property(deposits, (all) => {
        const entries = accountOf(...all);
        const shown = shownDues({ dues: unpaid(...names), payments: [] }, entries);
        const matches = matchDues(shown, entries, [], term);
        expect(new Set(matches.map(({ due }) => due)).size).toBe(matches.length);
        for (const [entry, own] of Map.groupBy(matches, (match) => match.entry))
          expect(own.reduce((rest, { share }) => rest - share, entry.amount)).toBeGreaterThanOrEqual(0);
      }),
      propertyRuns(200, 5000),
    );
  });
});

test('ACC-13 what is left of a deposit counts a payment without a share as the whole', () => {
  expect(unusedDeposit({ amount: 100 }, [])).toBe(100);
  expect(unusedDeposit({ amount: 100 }, [{ amount: 30 }, { amount: 70 }])).toBe(0);
  expect(unusedDeposit({ amount: 100 }, [{ amount: null }, { amount: null }])).toBe(-100);
});

test('ACC-13 the usual share is what most have paid, unless two are as frequent', () => {
  expect(mostFrequent([5, 3, 5])).toBe(5);
  expect(mostFrequent([5, 3])).toBeUndefined();
  expect(mostFrequent([])).toBeUndefined();
});

test.each([
  ['50,000', undefined],
  ['100000', undefined],
  ['100,001', '100,000원까지 쓸 수 있습니다'],
  ['0', '금액은 0보다 커야 합니다'],
  ['-5', '금액은 0보다 커야 합니다'],
  ['', '금액을 숫자로 입력하세요'],
  ['오만', '금액을 숫자로 입력하세요'],
])('ACC-13 a share of %j of 100,000 won: %s', (text, problem) => {
  expect(shareProblem(text, 100_000)).toBe(problem);
});
