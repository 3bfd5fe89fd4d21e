import { bare, graded, people, sheet } from '../support/score-tables.ts';
import { expect, test } from 'vitest';
import { withColumn } from '../../web/src/features/scores/columns/columns.ts';
import { studentsInTable } from '../../web/src/features/scores/grading/graded-class.ts';
import {
  earlierDecisions,
  decisionTexts,
  withTable,
  applyDecisions,
} from '../../web/src/features/scores/paste/earlier-decisions.ts';
import {
  EMPTY_WORK,
  withExclusion,
  withGradeByHand,
  withMethod,
  withRules,
  type Work,
} from '../../web/src/features/scores/work.ts';

const plain = ['이름', '학번', '총점'];
const otherScores = people.map(({ 이름 = '', 학번 = '', 기말 = '' }) => ({ 이름, 학번, 총점: 기말 }));
const others = people.map((cells, at) => ({
  ...cells,
  이름: `한여름${'가나다라'[at] ?? ''}`,
  학번: `20250000${at}`,
}));
const newcomer = { 이름: '정마루', 학번: '202600000', 총점: '77' };

/** What is pasted one after the other in one evening. */
const tables: Record<string, string[]> = {
  'the total': sheet(plain),
  'the homework before the total': sheet(['이름', '학번', '과제', '총점']),
  'parts without a total': sheet(['이름', '학번', '중간', '기말', '출석']),
  'the parts in another order': sheet(['이름', '학번', '기말', '중간', '출석']),
  'absences called attendance': sheet([...plain, '출석']),
  absences: sheet([...plain, '결석']),
  'another order of columns': sheet(['학번', '이름', '총점']),
  'sorted otherwise': sheet(plain, people.toReversed()),
  'one student more': sheet(plain, [newcomer, ...people]),
  'one student less': sheet(plain, people.slice(1)),
  'an average below': sheet(plain, [...people, { 이름: '평균', 총점: '71.5' }]),
  'an average below other scores': sheet(plain, [...otherScores, { 이름: '평균', 총점: '30.2' }]),
  'other scores of the same students': sheet(plain, otherScores),
  'other students': sheet(plain, others),
  'names alone': sheet(['이름', '총점']),
  'a title above': ['2026-2 운영체제', '', ...sheet(plain)],
  'no header': bare(plain),
  'no header, two columns of numbers': bare(['이름', '학번', '중간', '기말']),
  'no header, other columns': bare(['학번', '이름', '결석', '총점']),
  nothing: [],
};
const names = Object.keys(tables);
const textOf = (name: string) => (tables[name] ?? []).join('\n');
const fresh = (name: string) => withTable(EMPTY_WORK, textOf(name));

/** Everything that can be set by hand for one class. */
function setByHand(work: Work): Work {
  const students = studentsInTable(work);
  let set = withRules(work, {
    cutoffs: { A: 60 },
    floors: { F: 40 },
    attendance: { ...work.rules.attendance, meaning: 'absences', sessions: 16 },
  });
  for (const { row, name } of students) {
    if (name.startsWith('김')) set = withGradeByHand(set, row, 'C');
    if (name.startsWith('박')) set = withExclusion(set, row, true);
    if (name === '평균') set = withExclusion(set, row, false);
  }
  return withColumn(withColumn(set, 'tieBreak', 2), 'score', 2);
}
const forgotten = (work: Work) => ({ ...work, before: undefined });

test.each(names)('SCO-9 SCO-6 after "%s" every other table is as if it were pasted first', (first) => {
  for (const second of names.filter((each) => each !== first)) {
    const after = withTable(setByHand(fresh(first)), textOf(second));
    expect(forgotten(after), second).toEqual(forgotten(fresh(second)));
    // An answer of no changes nothing but the question.
    const dropped = applyDecisions(after, false);
    expect(dropped, second).toEqual(fresh(second));
    // Through an emptied field as well.
    const emptied = withTable(setByHand(fresh(first)), '');
    expect(forgotten(withTable(emptied, textOf(second))), second).toEqual(forgotten(fresh(second)));
  }
});

test.each(names)('SCO-6 what goes on after "%s" is what was set for those who are in both', (first) => {
  for (const second of names.filter((each) => each !== first)) {
    const after = withTable(setByHand(fresh(first)), textOf(second));
    if (!earlierDecisions(after)) continue;
    const kept = applyDecisions(after, true);
    const nameOf = (row: number) => studentsInTable(kept).find((each) => each.row === row)?.name ?? '';
    for (const [row, { grade, isExcluded }] of Object.entries(kept.byRow)) {
      const whose = grade ? '김가람' : isExcluded === true ? '박다온' : '평균';
      expect([grade ?? 'C', nameOf(Number(row))], second).toEqual(['C', whose]);
    }
    expect(kept.rules, second).toMatchObject({ cutoffs: { A: 60 }, floors: { F: 40 } });
    // Columns and what the attendance means belong to a header.
    const headerOf = (name: string) => tables[name]?.find((line) => line.includes('이름'));
    if (headerOf(first) === headerOf(second)) continue;
    expect(kept.mapping, second).toEqual(fresh(second).mapping);
    expect(kept.rules.attendance.meaning, second).toBe('off');
  }
});

test('SCO-6 the question tells what would go on, and is not asked where there is nothing or nobody', () => {
  const asked = (first: string, second: string) => {
    const after = withTable(setByHand(fresh(first)), textOf(second));
    const carried = earlierDecisions(after);
    return carried && [...decisionTexts(carried, after.table), ...carried.lost];
  };
  expect(asked('the total', 'one student less')).toEqual([
    '제외 1명',
    '옮긴 컷',
    '최저 점수 기준',
    '출석 규칙',
    '김가람(이 표에 없음)',
  ]);
  expect(asked('absences', 'the homework before the total')).toEqual([
    '직접 정한 학점 1명',
    '제외 1명',
    '옮긴 컷',
    '최저 점수 기준',
  ]);
  // Without a number an average stays where it was: it is nobody who could be found again.
  expect(asked('an average below', 'an average below other scores')?.at(-1)).toBe(
    '평균(학번이나 이름이 없음)',
  );
  expect(asked('the total', 'other students')).toBeUndefined();
  expect(earlierDecisions(withTable(fresh('the total'), textOf('sorted otherwise')))).toBeUndefined();
});

test('SCO-9 the answer to which column is the score goes on only where the header is the same', () => {
  const work = withColumn(fresh('parts without a total'), 'score', 3);
  const mended = withTable(work, work.text.replace('\t52\t', '\t53\t'));
  expect(mended.mapping.columns.score).toBeUndefined();
  expect(applyDecisions(mended, true).mapping.columns.score).toBe(3);
  const turned = withTable(work, textOf('the parts in another order'));
  expect(applyDecisions(turned, true).mapping.columns.score).toBeUndefined();
});

test('SCO-2 the method and the notation stay, and the best of a list with one column more is the best', () => {
  const first = withMethod(fresh('the total'), 'relaxed');
  const second = withTable(first, textOf('the homework before the total'));
  expect(second.rules.method).toBe('relaxed');
  const { rows } = graded(second);
  expect(rows.map(({ score }) => score)).toEqual([83, 50, 90, 63]);
  expect(rows.map(({ grade }) => grade)).toEqual(['B+', 'B', 'A', 'B']);
});

test('SCO-6 a student whose name or id stands twice gets nothing of the other', () => {
  const twice = withTable(EMPTY_WORK, '이름\t총점\n김가람\t90\n김가람\t10\n이나린\t50');
  const set = withGradeByHand(withGradeByHand(twice, 1, 'A'), 3, 'B');
  const after = withTable(set, '이름\t총점\n김가람\t10\n이나린\t50\n김가람\t90');
  expect(earlierDecisions(after)).toMatchObject({
    byRow: { 2: { grade: 'B' } },
    lost: ['김가람(이름이 여러 행에 있음)'],
  });
});
