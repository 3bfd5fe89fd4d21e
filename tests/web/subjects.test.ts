import type { Subject } from '#contract/subjects';
import { defaultSubjectTerm } from '#contract/terms';
import { describe, expect, test } from 'vitest';
import {
  subjectsSearchOf,
  readSubjectsSearch,
  selectableYears,
  type SubjectFilters,
} from '../../web/src/features/subjects/search-params.ts';
import { mergeSubjects, filterByGrades } from '../../web/src/features/subjects/merged.ts';

const NOVEMBER = Date.parse('2026-11-21T00:00:00Z');

const subject = (id: string, part: Partial<Subject> = {}): Subject => ({
  id,
  name: `과목 ${id}`,
  year: 1,
  type: '전공필수',
  score: 3,
  prof: '',
  time: '',
  classroom: '',
  etc: '',
  ...part,
});

describe('what the subject list shows', () => {
  test.each([
    ['2026-01-31T14:59:59Z', { year: 2026, semester: 'fall' }],
    ['2026-01-31T15:00:00Z', { year: 2026, semester: 'spring' }],
    ['2026-07-31T14:59:59Z', { year: 2026, semester: 'spring' }],
    ['2026-07-31T15:00:00Z', { year: 2026, semester: 'fall' }],
    ['2026-12-31T15:00:00Z', { year: 2027, semester: 'fall' }],
  ])('SUB-1 at %s it starts with %o', (instant, term) => {
    expect(defaultSubjectTerm(Date.parse(instant))).toEqual(term);
  });

  test('SUB-1 it starts with aics and cs; the years go from 2021 to now, in December to the next one', () => {
    expect(readSubjectsSearch({}, NOVEMBER)).toEqual({
      departments: ['aics', 'cs'],
      year: 2026,
      semester: 'fall',
      grades: [],
      view: 'list',
    });
    expect(selectableYears(NOVEMBER)).toEqual([2026, 2025, 2024, 2023, 2022, 2021]);
    const december = Date.parse('2026-12-01T00:00+09:00');
    expect(selectableYears(december - 1)[0]).toBe(2026);
    expect(selectableYears(december)[0]).toBe(2027);
    expect(readSubjectsSearch({ year: 2027 }, december).year).toBe(2027);
  });

  test('SUB-1 SUB-2 an address leads to the choice that it came from', () => {
    const choices: SubjectFilters[] = [
      { departments: [], year: 2026, semester: 'fall', grades: [], view: 'list' },
      { departments: ['cs', 'csg'], year: 2023, semester: 'winter', grades: [3, 0], view: 'week' },
      { departments: ['aics', 'cs'], year: 2026, semester: 'fall', grades: [2], view: 'input' },
    ];
    for (const choice of choices) {
      expect(readSubjectsSearch(subjectsSearchOf(choice, NOVEMBER), NOVEMBER)).toEqual(choice);
    }
    expect(subjectsSearchOf(readSubjectsSearch({}, NOVEMBER), NOVEMBER)).toEqual({});
  });

  test('SUB-1 an address that makes no sense shows what is shown at first', () => {
    const nonsense = { dept: 5, year: 1999, semester: 'autumn', view: 'x', grade: [] };
    expect(readSubjectsSearch(nonsense, NOVEMBER)).toEqual(readSubjectsSearch({}, NOVEMBER));
    expect(readSubjectsSearch({ dept: 'physics', grade: '9' }, NOVEMBER)).toEqual(
      readSubjectsSearch({}, NOVEMBER),
    );
  });

  test('SUB-1 SUB-2 results are merged by grade and name, the graduate level last, and filtered by grade', () => {
    const merged = mergeSubjects([
      { department: 'aics', subjects: [subject('B', { year: 0 }), subject('A', { name: '나', year: 2 })] },
      { department: 'cs', subjects: [subject('A', { name: '가', year: 2 }), subject('C')] },
    ]);
    const ids = (list: typeof merged) => list.map(({ department, id }) => `${department} ${id}`);
    expect(ids(merged)).toEqual(['cs C', 'cs A', 'aics A', 'aics B']);
    expect(ids(filterByGrades(merged, []))).toHaveLength(4);
    expect(ids(filterByGrades(merged, [0]))).toEqual(['aics B']);
    expect(ids(filterByGrades(merged, [1, 2]))).toEqual(['cs C', 'cs A', 'aics A']);
  });
});
