import * as fc from 'fast-check';
import { propertyRuns } from '../support/counts.ts';
import { expect, test } from 'vitest';
import { gradeClass } from '../../web/src/features/scores/grading/grading.ts';
import { shownCutoff, tieText, applyTypedCutoff } from '../../web/src/features/scores/grading/histogram.ts';
import {
  DEFAULT_RULES,
  assignableGrades,
  GRADING_METHODS,
  type Rules,
} from '../../web/src/features/scores/grading/methods.ts';

const classOf = (scores: readonly number[], tieBreaks: readonly number[] = []) =>
  scores.map((score, at) => ({
    score,
    tieBreak: tieBreaks[at],
    attendance: undefined,
    late: undefined,
    isExcluded: false,
    byHand: undefined,
  }));

test('SCO-11 SCO-17 a cut-off is read rounded down to two decimals, or to as many as keep the next lower score out', () => {
  const third = (26 / 30) * 100;
  expect([shownCutoff(83.333_333_333_333_33, []), shownCutoff(90, []), shownCutoff(89.5, [])]).toEqual([
    83.33, 90, 89.5,
  ]);
  expect(shownCutoff(third, [third, 80])).toBe(86.66);
  expect(shownCutoff(third, [third, 86.665])).toBe(86.666);
  expect(shownCutoff(1.15, [1.15, 1.14])).toBe(1.15);
  expect(shownCutoff(-3.337, [])).toBe(-3.34);
});

test('SCO-17 typing the number that is shown, digit by digit, changes nobody', () => {
  const scores = [95, (26 / 30) * 100, 86.665, 80, 70, 60];
  const start = { own: undefined, cutoffs: gradeClass(classOf(scores), DEFAULT_RULES).cutoffs };
  const type = (at: number) => applyTypedCutoff(start, 'B+', at, DEFAULT_RULES, scores);
  // The first digit takes the lower cut-offs along; the whole number leaves them where they were.
  expect(type(8)).toMatchObject({ 'B+': 8, B: 8 });
  expect(type(85)).toEqual({ ...start.cutoffs, 'B+': 85 });
  expect(type(shownCutoff(start.cutoffs['B+'] ?? 0, scores))).toBeUndefined();
});

const quotients = fc
  .tuple(fc.integer({ min: 0, max: 999 }), fc.constantFrom(1, 3, 7, 9, 11, 30, 97, 999))
  .map(([n, d]) => Math.min(100, (n / d) * 10));

test('SCO-17 in any class every shown cut-off is not above who has the grade, and set as it is shown changes no grade', () => {
  fc.assert(
    fc.property(
      fc.array(quotients, { minLength: 1, maxLength: 200 }),
      fc.constantFrom(...GRADING_METHODS),
      fc.constantFrom('plus', 'minus'),
      (scores, method, scale) => {
        const rules: Rules = { ...DEFAULT_RULES, method, scale };
        const entries = classOf(scores);
        const { cutoffs, outcomes } = gradeClass(entries, rules);
        const grades = outcomes.map(({ grade }) => grade);
        const shown = Object.fromEntries(
          Object.entries(cutoffs).map(([grade, at]) => [grade, shownCutoff(at, scores)]),
        );
        expect(gradeClass(entries, { ...rules, cutoffs: shown }).outcomes.map(({ grade }) => grade)).toEqual(
          grades,
        );
        for (const grade of assignableGrades(rules).slice(0, -1)) {
          const at = cutoffs[grade];
          if (at === undefined) continue;
          expect(shownCutoff(at, scores)).toBeLessThanOrEqual(at);
          const typed = applyTypedCutoff({ own: cutoffs, cutoffs }, grade, shown[grade] ?? 0, rules, scores);
          expect(typed).toEqual(cutoffs);
        }
      },
    ),
    propertyRuns(300, 12_000),
  );
});

test('SCO-17 what a moved cut-off does to ties is said, where there are any', () => {
  expect(tieText(classOf([90, 80, 70]), false)).toBeUndefined();
  expect(tieText(classOf([90, 80, 80]), false)).toBe(
    '컷을 옮기면 점수가 같은 학생은 모두 같은 학점을 받습니다. 그래서 한도를 넘을 수 있습니다.',
  );
  expect(tieText(classOf([90, 80, 80], [0, 1, 2]), true)).toBe(
    '컷으로 매기는 동안 점수가 같은 학생은 모두 같은 학점을 받습니다. 동점자 우선 기준으로 나눈 2명도 같습니다. 그래서 한도를 넘을 수 있습니다.',
  );
});
