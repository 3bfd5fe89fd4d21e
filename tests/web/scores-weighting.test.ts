import * as fc from 'fast-check';
import { propertyRuns } from '../support/counts.ts';
import { graded } from '../support/score-tables.ts';
import { expect, test } from 'vitest';
import { columnName } from '../../web/src/features/scores/columns/class-list.ts';
import { readPasted } from '../../web/src/features/scores/columns/columns.ts';
import { fractionOf, fractionToNumber, fractionText } from '../../web/src/features/scores/numbers.ts';
import { withTable } from '../../web/src/features/scores/paste/earlier-decisions.ts';
import { suggestedWeighting } from '../../web/src/features/scores/weights/weighting-offer.ts';
import {
  type Deduction,
  isWeightingReady,
  type MissingScoreRule,
  type WeightedPart,
  totalText,
  weightedTotal,
  type Weighting,
  weightSum,
} from '../../web/src/features/scores/weights/weighting.ts';
import { EMPTY_WORK, hasScore, scoreOrigin, withWeighting } from '../../web/src/features/scores/work.ts';

const part = (
  column: number,
  weight: number | undefined,
  full = 100,
  missing: MissingScoreRule = 'zero',
): WeightedPart => ({
  columns: [{ column, full }],
  weight,
  missing,
  best: 1,
});
const group = (
  columns: number[],
  weight: number,
  best: number,
  missing: MissingScoreRule = 'zero',
  full = 10,
): WeightedPart => ({
  columns: columns.map((column) => ({ column, full })),
  weight,
  missing,
  best,
});
const of = (parts: WeightedPart[], deductions: Deduction[] = []): Weighting => ({
  parts,
  deductions,
  isSumFree: false,
});
const total = (cells: string[], weighting: Weighting) => {
  const { total } = weightedTotal(cells, weighting);
  return total && fractionText(total, 6);
};

test('SCO-10 a total is what its formula says, exact in decimal', () => {
  expect(total(['32', '45'], of([part(0, 40, 40), part(1, 60, 50)]))).toBe('86');
  // 0.1 + 0.2 of binary numbers would be 0.30000000000000004.
  expect(total(['0.1', '0.2'], of([part(0, 50, 0.1), part(1, 50, 0.2)]))).toBe('100');
  expect(total(['70.1', '80.7', '90.3'], of([part(0, 33.3), part(1, 33.3), part(2, 33.4)]))).toBe('80.3766');
  expect(total(['１,０００', '85점'], of([part(0, 50, 1000), part(1, 50)]))).toBe('92.5');
  expect(total(['1', '0'], of([part(0, 50, 3), part(1, 50)]))).toBe('16.666667');
});

test('SCO-10 a missing part is nothing, is left out, or is a fail', () => {
  const of3 = (missing: MissingScoreRule) => of([part(0, 40, 100, missing), part(1, 60)]);
  expect(total(['결시', '90'], of3('zero'))).toBe('54');
  expect(total(['결시', '90'], of3('left-out'))).toBe('90');
  expect(weightedTotal(['', '90'], of3('fail')).failedBy?.columns[0]?.column).toBe(0);
  expect(weightedTotal(['80', '90'], of3('fail')).failedBy).toBeUndefined();
  // Nobody gets a total of nothing at all.
  for (const missing of ['zero', 'left-out', 'fail'] as const)
    expect(total(['', '결시'], of3(missing))).toBeUndefined();
});

test('SCO-10 the best of several count', () => {
  const cells = ['7', '10', '', '8'];
  expect(total(cells, of([group([0, 1, 2, 3], 100, 2)]))).toBe('90');
  expect(total(cells, of([group([0, 1, 2, 3], 100, 4)]))).toBe('62.5');
  expect(total(cells, of([group([0, 1, 2, 3], 100, 4, 'left-out')]))).toBe('83.333333');
  expect(weightedTotal(cells, of([group([0, 1, 2, 3], 100, 4, 'fail')])).failedBy).toBeDefined();
  expect(weightedTotal(cells, of([group([0, 1, 2, 3], 100, 3, 'fail')])).failedBy).toBeUndefined();
  // Of different full marks, the better is what reaches more of its own.
  const mixed = {
    ...group([0, 1], 100, 1),
    columns: [
      { column: 0, full: 20 },
      { column: 1, full: 10 },
    ],
  };
  expect(total(['12', '9'], of([mixed]))).toBe('90');
});

test('SCO-10 absences and lateness cost points, some of them none, and never more than all', () => {
  const deduction = (change: Partial<Deduction> = {}): Deduction => ({
    column: 1,
    points: 0.5,
    free: 0,
    most: undefined,
    ...change,
  });
  const cost = (count: string, change?: Partial<Deduction>) =>
    total(['90', count], of([part(0, 100)], [deduction(change)]));
  expect(cost('3')).toBe('88.5');
  expect(cost('3', { free: 2 })).toBe('89.5');
  expect(cost('1', { free: 2 })).toBe('90');
  expect(cost('100', { most: 10 })).toBe('80');
  expect(cost('500')).toBe('0');
  expect(cost('-')).toBe('90');
});

test('SCO-10 nothing is graded before the weights make a hundred and every weighted column has its full marks', () => {
  expect(isWeightingReady(of([part(0, 40), part(1, 50)]))).toBe(false);
  expect(isWeightingReady(of([part(0, 40), part(1, 60)]))).toBe(true);
  expect(weightSum(of([part(0, 33.3), part(1, 33.3), part(2, 33.4)]))).toBe(100);
  expect(isWeightingReady({ ...of([part(0, 40), part(1, 65)]), isSumFree: true })).toBe(true);
  expect(isWeightingReady(of([]))).toBe(false);
  const open: WeightedPart = { ...part(1, 60), columns: [{ column: 1, full: undefined }] };
  expect(isWeightingReady(of([part(0, 40), open]))).toBe(false);
  expect(isWeightingReady(of([part(0, 100), { ...open, weight: undefined }]))).toBe(true);
});

/** A rational reference of its own: everything over one common denominator. */
function reference(
  cells: readonly (string | undefined)[],
  weighting: Weighting,
): [bigint, bigint] | undefined {
  const scale = 1000n;
  const whole = (value: number | string) => BigInt(Math.round(Number(value) * 1000));
  type Ratio = [bigint, bigint];
  const add = ([a, b]: Ratio, [c, d]: Ratio): Ratio => [a * d + c * b, b * d];
  const parts = weighting.parts.filter(({ weight = 0 }) => weight > 0);
  if (parts.every(({ columns }) => columns.every(({ column }) => cells[column] === undefined)))
    return undefined;
  let sum: Ratio = [0n, 1n];
  let counted = 0n;
  for (const { columns, weight = 0, best, missing } of parts) {
    const ratios = columns.flatMap(({ column, full = 1 }): Ratio[] => {
      const cell = cells[column];
      if (cell === undefined) return missing === 'left-out' ? [] : [[0n, 1n]];
      return [[whole(cell), whole(full)]];
    });
    ratios.sort(([a, b], [c, d]) => (c * b > a * d ? 1 : c * b < a * d ? -1 : 0));
    const taken = ratios.slice(0, best);
    if (taken.length === 0) continue;
    const [n, d] = taken.reduce(add, [0n, 1n]);
    sum = add(sum, [n * whole(weight), d * BigInt(taken.length) * scale]);
    counted += whole(weight);
  }
  if (counted === 0n) return undefined;
  const all = parts.reduce((total, { weight = 0 }) => total + whole(weight), 0n);
  let result: Ratio = [sum[0] * all, sum[1] * counted];
  for (const { column, points, free, most } of weighting.deductions) {
    const over = whole(cells[column] ?? '0') - whole(free);
    if (over <= 0n) continue;
    let cost: Ratio = [over * whole(points), scale * scale];
    if (most !== undefined && cost[0] > whole(most) * scale) cost = [whole(most), scale];
    result = add(result, [-cost[0], cost[1]]);
  }
  return result[0] < 0n ? [0n, 1n] : result;
}

const COLUMNS = 6;
const cell = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 1000 }).map((tenths) => String(tenths / 10)) },
  { weight: 1, arbitrary: fc.constant(undefined) },
);
const anyPart = (columns: number[]): fc.Arbitrary<WeightedPart> =>
  fc.record({
    columns: fc
      .constant(columns)
      .chain((all) =>
        fc.tuple(...all.map((column) => fc.integer({ min: 1, max: 100 }).map((full) => ({ column, full })))),
      ),
    weight: fc.oneof(
      fc.integer({ min: 1, max: 1000 }).map((tenths) => tenths / 10),
      fc.constant(undefined),
    ),
    missing: fc.constantFrom('zero', 'left-out', 'fail'),
    best: fc.integer({ min: 1, max: columns.length }),
  });
const anyWeighting: fc.Arbitrary<Weighting> = fc.record({
  parts: fc.tuple(anyPart([0]), anyPart([1]), anyPart([2, 3, 4])),
  deductions: fc.array(
    fc.record({
      column: fc.constant(5),
      points: fc.integer({ min: 0, max: 50 }).map((tenths) => tenths / 10),
      free: fc.nat({ max: 3 }),
      most: fc.option(fc.nat({ max: 20 }), { nil: undefined }),
    }),
    { maxLength: 2 },
  ),
  isSumFree: fc.constant(true),
});
const anyRow = fc.array(cell, { minLength: COLUMNS, maxLength: COLUMNS });

test('SCO-10 every total is the rational reference’s, to the last digit', () => {
  fc.assert(
    fc.property(anyWeighting, anyRow, (weighting, row) => {
      const { total } = weightedTotal(
        row.map((each) => each ?? '결시'),
        weighting,
      );
      const expected = reference(row, weighting);
      expect(total === undefined).toBe(expected === undefined);
      expect((total?.n ?? 0n) * (expected?.[1] ?? 1n)).toBe((expected?.[0] ?? 0n) * (total?.d ?? 1n));
    }),
    propertyRuns(1000, 20_000),
  );
});

test('SCO-10 as numbers, equal totals stay equal, the order stays, and a decimal is what one types for it', () => {
  fc.assert(
    fc.property(anyWeighting, anyRow, anyRow, (weighting, one, other) => {
      const [a, b] = [one, other].map(
        (row) =>
          weightedTotal(
            row.map((each) => each ?? ''),
            weighting,
          ).total,
      );
      if (!a || !b) return;
      const difference = a.n * b.d - b.n * a.d;
      expect(Math.sign(fractionToNumber(a) - fractionToNumber(b))).toBe(
        difference > 0n ? 1 : difference < 0n ? -1 : 0,
      );
    }),
    propertyRuns(1000, 20_000),
  );
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000, max: 10_000_000 }), fc.nat({ max: 4 }), (digits, places) => {
      const text = (digits / 10 ** places).toFixed(places);
      expect(fractionToNumber(fractionOf(text))).toBe(Number(text));
      expect(fractionText(fractionOf(text))).toBe(String(Number(text)));
    }),
    propertyRuns(300, 5000),
  );
});

const rows = [
  '김가람\t202600001\t32\t45\t10\t9\t0',
  '이나린\t202600002\t40\t40\t8\t\t2',
  '박다온\t202600003\t결시\t50\t6\t7\t9',
];
const text = ['이름\t학번\t중간(40)\t기말 (50점)\t퀴즈1\t퀴즈2\t지각', ...rows].join('\n');

test('SCO-9 SCO-10 the weights that are offered take from the table what it tells, and guess nothing', () => {
  const offer = (lines: string) => {
    const work = withTable(EMPTY_WORK, lines);
    return suggestedWeighting(readPasted(lines).table, work.mapping).parts.map(
      ({ columns, weight, best }) => [columns.map(({ column, full }) => [column, full]), weight, best],
    );
  };
  expect(offer(text)).toEqual([
    [[[2, 40]], undefined, 1],
    [[[3, 50]], undefined, 1],
    [
      [
        [4, undefined],
        [5, undefined],
      ],
      undefined,
      2,
    ],
    [[[6, undefined]], undefined, 1],
  ]);
  expect(
    offer('이름\t학번\t중간 30%\t기말(70%)\n김가람\t202600001\t32\t45\n이나린\t202600002\t1\t2'),
  ).toEqual([
    [[[2, undefined]], 30, 1],
    [[[3, undefined]], 70, 1],
  ]);
  const withRows = [
    '이름\t학번\t중간\t기말',
    '만점\t\t40\t60',
    '반영비율\t\t30\t70',
    ...rows.map((row) => row.split('\t').slice(0, 4).join('\t')),
  ];
  expect(offer(withRows.join('\n'))).toEqual([
    [[[2, 40]], 30, 1],
    [[[3, 60]], 70, 1],
  ]);
  // Parts of one name are one part only if they weigh the same.
  const students = ['김가람\t3\t4\t5', '이나린\t2\t1\t5'];
  const weightsOf = (header: string) => offer([header, ...students].join('\n')).map(([, weight]) => weight);
  expect(weightsOf('이름\t과제1(10%)\t과제2(20%)\t기말(70%)')).toEqual([10, 20, 70]);
  expect(weightsOf('이름\t과제1(15%)\t과제2(15%)\t기말(70%)')).toEqual([30, 70]);
  expect(offer(['이름\t과제1(10점)\t과제2(20점)\t기말', ...students].join('\n'))).toHaveLength(3);
  // The more absences, the worse: they get no weight, and the sum is not 100 %.
  expect(weightsOf('이름\t중간(40%)\t기말(50%)\t결석(10%)')).toEqual([40, 50, undefined]);
  // Of a heading merged over two columns each of them is offered by its own label.
  const merged = '이름\t시험(70%)\t\t과제(30%)\t\n\t중간\t기말\tHW1\tHW2';
  const lines = [merged, '김가람\t30\t40\t5\t6', '이나린\t20\t10\t5\t7'].join('\n');
  const { table, mapping } = withTable(EMPTY_WORK, lines);
  const columnsOf = suggestedWeighting(table, mapping).parts.map(({ columns }) =>
    columns.map(({ column }) => column),
  );
  expect(columnsOf).toEqual([[1], [2], [3, 4]]);
  // Full marks below the highest score are none, and 과제(1) is the first.
  expect(offer('이름\t중간(30)\t과제(1)\t과제(2)\n김가람\t32\t5\t4\n이나린\t20\t5\t3')).toEqual([
    [[[1, undefined]], undefined, 1],
    [[[2, undefined]], undefined, 1],
    [[[3, undefined]], undefined, 1],
  ]);
});

test('SCO-9 SCO-10 a weighted class waits for its weights, and every score says how it came about', () => {
  const asked = withTable(EMPTY_WORK, text);
  expect(hasScore(asked)).toBe(false);
  const weighting: Weighting = {
    parts: [part(2, 40, 40, 'zero'), part(3, 40, 50, 'left-out'), group([4, 5], 20, 1)],
    deductions: [{ column: 6, points: 0.5, free: 1, most: undefined }],
    isSumFree: false,
  };
  const work = withWeighting(asked, weighting);
  expect(hasScore(work)).toBe(true);
  expect(scoreOrigin(work)).toBe('중간 40% + 기말 40% + 퀴즈 상위 1개 20% − 지각 1회당 0.5점');
  const nameOf = (column: number) => columnName(readPasted(text).table, work.mapping, column);
  const told = graded(work).rows.map(({ score, scoreCell, total, flag }) => [
    score,
    scoreCell,
    total && totalText(total, nameOf),
    flag,
  ]);
  expect(told).toEqual([
    [88, '88', '중간 32/40 × 40% + 기말 45/50 × 40% + 퀴즈 10/10 × 20%', undefined],
    [
      87.5,
      '87.5',
      '중간 40/40 × 40% + 기말 40/50 × 40% + 퀴즈 8/10 × 20% − 지각 1회(1회 넘은 것) 0.5점',
      undefined,
    ],
    [
      50,
      '50',
      '중간 없음/40 × 40% + 기말 50/50 × 40% + 퀴즈 7/10 × 20% − 지각 8회(1회 넘은 것) 4점',
      'missing-part',
    ],
  ]);
  const strict = withWeighting(asked, { ...weighting, parts: [part(2, 100, 40, 'fail')] });
  const failed = graded(strict).rows[2];
  expect(failed?.grade).toBe('F');
  expect(failed?.reason()).toBe('‘중간’ 점수가 없어 F를 받습니다.');
  const leftOut = withWeighting(asked, of([part(2, 40, 40, 'left-out'), part(3, 60, 50)]));
  const third = graded(leftOut).rows[2];
  expect([third?.score, third?.total && totalText(third.total, nameOf)]).toEqual([
    100,
    '(기말 50/50 × 60%) × 100/60, 중간 제외',
  ]);
});
