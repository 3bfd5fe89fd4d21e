import * as fc from 'fast-check';
import { propertyRuns } from '../support/counts.ts';
import { graded, sheet } from '../support/score-tables.ts';
import { expect, test } from 'vitest';
import {
  compareFractions,
  fractionOf,
  divideFractions,
  fractionToNumber,
  readNumber,
  readPoints,
  distinctTexts,
} from '../../web/src/features/scores/numbers.ts';
import { withTable } from '../../web/src/features/scores/paste/earlier-decisions.ts';
import { EMPTY_WORK, withRules } from '../../web/src/features/scores/work.ts';

test('SCO-1 a sign and a leading point are read as the page says', () => {
  expect(
    ['-5', '−5', '+5', '＋5', '.5', '-.5', '0.5', '1,000', '８５', '85점', '93%'].map(readNumber),
  ).toEqual([-5, -5, 5, 5, 0.5, -0.5, 0.5, 1000, 85, 85, 93]);
  expect(['5-', '--5', '+-5', '.', '5.', '1e3', '0x10', '(5)'].map(readNumber)).toEqual(
    Array.from({ length: 8 }, () => undefined),
  );
});

test('SCO-4 a sum with the digits that other programs add equals the same sum without them', () => {
  expect(['79.10000000000001', '79.1', '0.30000000000000004', '66.66666666666667'].map(readNumber)).toEqual([
    79.1, 79.1, 0.3, 66.66666666667,
  ]);
});

const attended = (cells: readonly string[]) =>
  withTable(
    EMPTY_WORK,
    sheet(
      ['이름', '점수', '출석률'],
      cells.map((cell, at) => ({ 이름: `김${'가나다라마바'[at]}람`, 점수: String(90 - at), 출석률: cell })),
    ).join('\n'),
  );
const failed = (cells: readonly string[], areFractions?: boolean) => {
  const work = attended(cells);
  const { attendance } = work.rules;
  const asked = withRules(work, { attendance: { ...attendance, meaning: 'percent', areFractions } });
  return graded(asked).rows.map(({ grade, flag }) =>
    grade === 'F' ? flag : flag === 'no-attendance' && '?',
  );
};

test('SCO-7 an attendance of 0.95 as a percentage fails nobody until it is said whether 95 % is meant', () => {
  expect(failed(['0.95', '1', '0.5'])).toEqual(['?', '?', '?']);
  expect(failed(['0.95', '1', '0.5'], true)).toEqual([false, false, 'absent']);
  expect(failed(['0.95', '1', '0.5'], false)).toEqual(['absent', 'absent', 'absent']);
  expect(failed(['95%', '100%', '0.5%', '95', '74', '0'])).toEqual([
    false,
    false,
    'absent',
    false,
    'absent',
    'absent',
  ]);
});

test('SCO-17 two totals that differ are shown with as many decimals as tell them apart', () => {
  const of = (n: number, d: number) => divideFractions(fractionOf(n), fractionOf(d));
  expect(distinctTexts([of(260, 3), fractionOf('86.6667'), of(260, 3), of(90, 1)])).toEqual([
    '86.66667',
    '86.6667',
    '86.66667',
    '90',
  ]);
});

test('SCO-17 among any totals the same text means the same number', () => {
  const total = fc
    .tuple(fc.integer({ min: 0, max: 3_000_000 }), fc.constantFrom(1, 3, 7, 30_000, 30_001, 999_999))
    .map(([n, d]) => divideFractions(fractionOf(n), fractionOf(d)));
  fc.assert(
    fc.property(fc.array(total, { maxLength: 60 }), (totals) => {
      const texts = distinctTexts(totals);
      const pairs = totals.flatMap((one, at) => totals.map((other, place) => ({ one, other, at, place })));
      const isSameText = ({ at, place }: (typeof pairs)[number]) => texts[at] === texts[place];
      for (const { one, other } of pairs.filter(isSameText))
        expect(fractionToNumber(one)).toBe(fractionToNumber(other));
      for (const pair of pairs.filter(({ one, other }) => compareFractions(one, other) === 0)) {
        expect(isSameText(pair)).toBe(true);
      }
    }),
    propertyRuns(),
  );
});

test('SCO-1 a share of the full marks is read, what may be a date is not, and what is not read is said', () => {
  expect(['80 / 100', '95/100', '40/50', '8 / 10'].map(readNumber)).toEqual([80, 95, 80, 80]);
  expect(['3/15', '3/2026', '1/2', '0/0', '80→85', '95,5'].map(readNumber)).toEqual(
    Array.from({ length: 6 }, () => undefined),
  );
  expect(readPoints('40/50', 50)).toBe('40');
  const cells = ['가 202600001 95,5', '나 202600002 결시', '202600003 다 70', '라 60 202600004'];
  const lines = ['이름 학번 점수', ...cells].map((line) => line.replaceAll(' ', '\t'));
  const { rows } = graded(withTable(EMPTY_WORK, lines.join('\n')));
  expect(rows.map(({ flag, doubt }) => [flag, doubt])).toEqual([
    ['no-score', '점수 ‘95,5’ 칸을 숫자로 읽지 못했습니다.'],
    ['no-score', ''],
    ['doubt', '이름과 학번이 바뀐 것으로 보입니다.'],
    ['doubt', '점수 202600004점은 점수로는 너무 큽니다.'],
  ]);
});
