import * as fc from 'fast-check';
import { propertyRuns } from '../support/counts.ts';
import { graded, people, sheet } from '../support/score-tables.ts';
import { expect, test } from 'vitest';
import { withColumn } from '../../web/src/features/scores/columns/columns.ts';
import { gradeChanges } from '../../web/src/features/scores/grading/graded-class.ts';
import { histogramOf, moveCutoff, scoreAt } from '../../web/src/features/scores/grading/histogram.ts';
import { DEFAULT_RULES } from '../../web/src/features/scores/grading/methods.ts';
import { withTable, applyDecisions } from '../../web/src/features/scores/paste/earlier-decisions.ts';
import { columnInPastedOrder } from '../../web/src/features/scores/print/copied-column.ts';
import {
  EMPTY_WORK,
  withExclusion,
  withGradeByHand,
  withHandReason,
  withMethod,
  withRules,
  type Work,
} from '../../web/src/features/scores/work.ts';
import { addStep, redoStep, startHistory, undoStep } from '../../web/src/lib/history.ts';

const [first, second, third] = people;
const text = sheet(
  ['이름', '학번', '점수', '결석'],
  [
    { ...first, 점수: '90', 결석: '0' },
    {},
    { ...second, 점수: '결시', 결석: '9' },
    { ...third, 점수: '70', 결석: '8' },
  ],
).join('\n');
const work = withTable(EMPTY_WORK, text);
const copied = (work: Work, column: 'grades' | 'scores') => {
  const { rows } = graded(work);
  return columnInPastedOrder(column, rows, work.style).split('\r\n');
};

test('SCO-5 a copied column has one line for each pasted row below the header, empty lines included', () => {
  expect(copied(withMethod(work, 'absolute'), 'grades')).toEqual(['A+', '', 'F', 'A']);
  expect(copied(withMethod(work, 'absolute'), 'scores')).toEqual(['100', '', '0', '94']);
  expect(copied(withExclusion(work, 1, true), 'grades')).toEqual(['', '', 'F', 'B']);
  expect(copied({ ...work, style: { zero: 'A0', fail: 'N' } }, 'grades')).toEqual(['B+', '', 'F', 'B0']);
});

test('SCO-4 SCO-17 every grade has its reason, one by hand the one that was written', () => {
  const reasons = (work: Work) => graded(work).rows.map(({ reason }) => reason());
  expect(reasons(work)).toEqual([
    '2명 중 1등으로 상위 1명(B+ 이상)에 해당하여 B+를 받습니다.',
    '점수 칸이 숫자가 아니어서(‘결시’) F를 받습니다.',
    '2명 중 2등으로 상위 1명(B+ 이상)에 들지 못해 B를 받습니다.',
  ]);
  expect(reasons(withMethod(work, 'pass-fail'))[0]).toBe(
    '2명 중 1등으로 배정 인원 3명에 모두 포함되어 P를 받습니다.',
  );
  const strict = withRules(work, {
    floors: { F: 75 },
    attendance: { ...work.rules.attendance, meaning: 'absences' },
  });
  expect(reasons(strict)[2]).toBe('결석 8회가 전체 30회의 25% 이상이어서 F를 받습니다.');
  expect(reasons(withGradeByHand(work, 1, 'A'))[0]).toBe(
    '담당자가 직접 A로 정했습니다. 사유를 적지 않았습니다.',
  );
  const told = withHandReason(withGradeByHand(work, 1, 'A'), 1, '채점 오류 정정');
  expect(reasons(told)[0]).toBe('담당자가 직접 A로 정했습니다. 사유: 채점 오류 정정');
  expect(withGradeByHand(told, 1, undefined).byRow).toEqual({});
  expect(reasons(withExclusion(work, 1, true))[0]).toBe('제외한 학생이어서 학점을 매기지 않습니다.');
  const cut = withRules(work, { cutoffs: { 'A+': 95, A: 90, 'B+': 80, B: 75, 'C+': 70.5 } });
  expect(reasons(cut)[0]).toBe('점수 90점이 A 기준 90점 이상이어서 A를 받습니다.');
  expect(reasons(cut)[2]).toBe('점수 70점이 C+ 기준 70.5점보다 낮아 C를 받습니다.');
});

test('SCO-1 a column has one field: a field that takes it takes it from the other', () => {
  expect(work.mapping.columns).toEqual({ name: 0, id: 1, score: 2, attendance: 3 });
  expect(withColumn(work, 'score', 3).mapping.columns).toEqual({ name: 0, id: 1, score: 3 });
  expect(withColumn(work, 'attendance', undefined).mapping.columns).toEqual({ name: 0, id: 1, score: 2 });
});

test('SCO-2 SCO-6 grades by hand wait for their method, cut-offs go with it, and both go with the class', () => {
  const set = withRules(withGradeByHand(work, 1, 'B'), { cutoffs: { A: 50 } });
  const passFail = withMethod(set, 'pass-fail');
  expect(passFail.rules.cutoffs).toBeUndefined();
  expect(graded(passFail).rows[0]?.grade).toBe('P');
  expect(graded(withMethod(passFail, 'relative')).rows[0]?.grade).toBe('B');
  expect(withTable(set, '점수\n1')).toMatchObject({ byRow: {}, rules: { cutoffs: undefined } });
});

test('SCO-6 a score put right in the pasted text keeps what was set for the students only when somebody says so', () => {
  const set = withExclusion(withGradeByHand(work, 1, 'B'), 3, true);
  const mended = withTable(set, text.replace('결시', '85'));
  expect(mended).toMatchObject({ byRow: {} });
  expect(graded(mended).rows.map(({ score }) => score)).toEqual([90, 85, 70]);
  expect(applyDecisions(mended, true)).toEqual({ ...set, text: mended.text, table: mended.table });
});

test('SCO-6 steps are undone and done again; what follows the same thing is one step', () => {
  let history = startHistory('a');
  history = addStep(history, 'b', 'to b');
  history = addStep(history, 'c', 'drag', 'cutoff 1');
  history = addStep(history, 'd', 'drag', 'cutoff 1');
  history = addStep(history, 'e', 'drag', 'cutoff 2');
  expect(history.past.map(({ state }) => state)).toEqual(['a', 'b', 'd']);
  history = undoStep(undoStep(history));
  expect(history.present).toBe('b');
  expect(history.future.map(({ name }) => name)).toEqual(['drag', 'drag']);
  expect(redoStep(history).present).toBe('d');
  expect(addStep(history, 'x', 'other').future).toEqual([]);
  expect(undoStep(startHistory('a')).present).toBe('a');
  expect(addStep(history, 'b', 'nothing')).toBe(history);
});

test('SCO-6 any number of steps back and as many forth lead to where they began', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 5 }), { maxLength: 30 }), fc.nat({ max: 40 }), (states, back) => {
      const start = states.reduce((history, state) => addStep(history, state, 'step'), startHistory(-1));
      let history = start;
      const steps = Math.min(back, start.past.length);
      for (let step = 0; step < steps; step++) history = undoStep(history);
      for (let step = 0; step < steps; step++) history = redoStep(history);
      expect([history.present, history.past]).toEqual([start.present, start.past]);
    }),
    propertyRuns(300, 10_000),
  );
});

test('SCO-6 every score is in one bar, and a moved cut-off takes the others along', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -10, max: 1100, noNaN: true }), { minLength: 1, maxLength: 200 }),
      fc.double({ min: -0.5, max: 1.5, noNaN: true }),
      (scores, place) => {
        const histogram = histogramOf(scores);
        expect(histogram?.bins.reduce((sum, { count }) => sum + count, 0)).toBe(scores.length);
        if (!histogram) return;
        expect(histogram.bins.length).toBeLessThan(50);
        const at = scoreAt(place, histogram);
        const moved = moveCutoff({ 'A+': 90, A: 80, 'B+': 70, B: 60, 'C+': 50 }, 'B+', at, DEFAULT_RULES);
        const order = [moved['A+'], moved.A, moved['B+'], moved.B, moved['C+']].map(Number);
        expect(order).toEqual(order.toSorted((a, b) => b - a));
        expect(moved['B+']).toBe(at);
      },
    ),
    propertyRuns(300, 10_000),
  );
});

test('SCO-11 whose grade a moved cut-off changes is told by name, from which grade to which', () => {
  const moved = withRules(work, { cutoffs: { 'A+': 95, A: 85, 'B+': 80, B: 70, 'C+': 60 } });
  expect(gradeChanges(graded(work), graded(moved))).toEqual([
    { row: 1, who: '김가람', from: 'B+', to: 'A', isBetter: true },
  ]);
  expect(gradeChanges(graded(moved), graded(moved))).toEqual([]);
  const fewer = withTable(EMPTY_WORK, text.split('\n').slice(0, 2).join('\n'));
  expect(gradeChanges(graded(work), graded(fewer))).toEqual([]);
});
