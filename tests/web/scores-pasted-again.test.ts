import { expect, test } from 'vitest';
import { carriedOf, carriedWords, withCarried } from '../../web/src/features/scores/carry.ts';
import { gradeStudents, studentsOf } from '../../web/src/features/scores/graded-class.ts';
import {
  EMPTY_WORK,
  pasted,
  remapped,
  withExclusion,
  withGradeByHand,
  withMethod,
  withRules,
  type Work,
} from '../../web/src/features/scores/work.ts';

const people = [
  ['김가람', '202600001', '52', '31', '83', '0'],
  ['이나린', '202600002', '10', '40', '50', '9'],
  ['박다온', '202600003', '70', '20', '90', '2'],
  ['최라온', '202600004', '33', '30', '63', '1'],
];
const linesOf = (rows: string[][], ...columns: number[]) =>
  rows.map((cells) => columns.map((column) => cells[column] ?? '').join('\t'));
const others = people.map(([, , ...rest], at) => [`한여름${'가나다라'[at]}`, `20250000${at}`, ...rest]);

/** What is pasted one after the other in one evening. */
const tables: Record<string, string[]> = {
  'the total': ['이름\t학번\t총점', ...linesOf(people, 0, 1, 4)],
  'the homework before the total': ['이름\t학번\t과제\t총점', ...linesOf(people, 0, 1, 2, 4)],
  'parts without a total': ['이름\t학번\t중간\t기말\t출석', ...linesOf(people, 0, 1, 2, 3, 5)],
  'the parts in another order': ['이름\t학번\t기말\t중간\t출석', ...linesOf(people, 0, 1, 2, 3, 5)],
  'absences called attendance': ['이름\t학번\t총점\t출석', ...linesOf(people, 0, 1, 4, 5)],
  absences: ['이름\t학번\t총점\t결석', ...linesOf(people, 0, 1, 4, 5)],
  'another order of columns': ['학번\t이름\t총점', ...linesOf(people, 1, 0, 4)],
  'sorted otherwise': ['이름\t학번\t총점', ...linesOf(people.toReversed(), 0, 1, 4)],
  'one student more': ['이름\t학번\t총점', '정마루\t202600000\t77', ...linesOf(people, 0, 1, 4)],
  'one student less': ['이름\t학번\t총점', ...linesOf(people.slice(1), 0, 1, 4)],
  'other scores of the same students': ['이름\t학번\t총점', ...linesOf(people, 0, 1, 3)],
  'other students': ['이름\t학번\t총점', ...linesOf(others, 0, 1, 4)],
  'names alone': ['이름\t총점', ...linesOf(people, 0, 4)],
  'a title above': ['2026-2 운영체제', '', '이름\t학번\t총점', ...linesOf(people, 0, 1, 4)],
  'no header': linesOf(people, 0, 1, 4),
  'no header, two columns of numbers': linesOf(people, 0, 1, 2, 3),
  'no header, other columns': linesOf(people, 1, 0, 5, 4),
  nothing: [],
};
const names = Object.keys(tables);
const textOf = (name: string) => (tables[name] ?? []).join('\n');
const fresh = (name: string) => pasted(EMPTY_WORK, textOf(name));

/** Everything that can be set by hand for one class. */
function setByHand(work: Work): Work {
  const students = studentsOf(work);
  let set = withRules(work, {
    cutoffs: { A: 60 },
    floors: { F: 40 },
    attendance: { ...work.rules.attendance, meaning: 'absences', sessions: 16 },
  });
  for (const { row, name } of students) {
    if (name.startsWith('김')) set = withGradeByHand(set, row, 'C');
    if (name.startsWith('박')) set = withExclusion(set, row, true);
  }
  return remapped(remapped(set, 'tieBreak', 2), 'score', 2);
}
const forgotten = (work: Work) => ({ ...work, before: undefined });

test.each(names)('SCO-9 SCO-6 after "%s" every other table is as if it were pasted first', (first) => {
  for (const second of names.filter((each) => each !== first)) {
    const after = pasted(setByHand(fresh(first)), textOf(second));
    expect(forgotten(after), second).toEqual(forgotten(fresh(second)));
    // An answer of no changes nothing but the question.
    const dropped = withCarried(after, false);
    expect(dropped, second).toEqual(fresh(second));
    // Through an emptied field as well.
    const emptied = pasted(setByHand(fresh(first)), '');
    expect(forgotten(pasted(emptied, textOf(second))), second).toEqual(forgotten(fresh(second)));
  }
});

test.each(names)('SCO-6 what goes on after "%s" is what was set for those who are in both', (first) => {
  for (const second of names.filter((each) => each !== first)) {
    const after = pasted(setByHand(fresh(first)), textOf(second));
    if (!carriedOf(after)) continue;
    const kept = withCarried(after, true);
    const nameOf = (row: number) => studentsOf(kept).find((each) => each.row === row)?.name ?? '';
    for (const [row, grade] of Object.entries(kept.byHand)) {
      expect([grade, nameOf(Number(row))], second).toEqual(['C', '김가람']);
    }
    for (const row of kept.excluded) expect(nameOf(row), second).toBe('박다온');
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
    const after = pasted(setByHand(fresh(first)), textOf(second));
    const carried = carriedOf(after);
    return carried && [...carriedWords(carried, after.text), carried.lost];
  };
  expect(asked('the total', 'one student less')).toEqual(['제외 1명', '옮긴 컷', '하한', '출석 규칙', 1]);
  expect(asked('absences', 'the homework before the total')).toEqual([
    '직접 정한 학점 1명',
    '제외 1명',
    '옮긴 컷',
    '하한',
    0,
  ]);
  expect(asked('the total', 'other students')).toBeUndefined();
  expect(carriedOf(pasted(fresh('the total'), textOf('sorted otherwise')))).toBeUndefined();
});

test('SCO-9 the answer to which column is the score goes on only where the header is the same', () => {
  const work = remapped(fresh('parts without a total'), 'score', 3);
  const mended = pasted(work, work.text.replace('\t52\t', '\t53\t'));
  expect(mended.mapping.columns.score).toBeUndefined();
  expect(withCarried(mended, true).mapping.columns.score).toBe(3);
  const turned = pasted(work, textOf('the parts in another order'));
  expect(withCarried(turned, true).mapping.columns.score).toBeUndefined();
});

test('SCO-2 the method and the notation stay, and the best of a list with one column more is the best', () => {
  const first = withMethod(fresh('the total'), 'relaxed');
  const second = pasted(first, textOf('the homework before the total'));
  expect(second.rules.method).toBe('relaxed');
  const { rows } = gradeStudents(studentsOf(second), second);
  expect(rows.map(({ score }) => score)).toEqual([83, 50, 90, 63]);
  expect(rows.map(({ grade }) => grade)).toEqual(['B+', 'B', 'A', 'B']);
});

test('SCO-6 a student whose name or id stands twice gets nothing of the other', () => {
  const twice = pasted(EMPTY_WORK, '이름\t총점\n김가람\t90\n김가람\t10\n이나린\t50');
  const set = withGradeByHand(withGradeByHand(twice, 1, 'A'), 3, 'B');
  const after = pasted(set, '이름\t총점\n김가람\t10\n이나린\t50\n김가람\t90');
  expect(carriedOf(after)).toMatchObject({ byHand: { 2: 'B' }, lost: 1 });
});
