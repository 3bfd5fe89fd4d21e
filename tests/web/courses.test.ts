import { courseFormSchema, type Course } from '#contract/courses';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findTwin, planCopies, termsOf } from '../../web/src/features/courses/course-copy.ts';
import {
  courseFormOf,
  draftOf,
  draftProblems,
  emptyDraft,
  type CourseDraft,
} from '../../web/src/features/courses/course-draft.ts';
import { semesterOptions } from '../../web/src/features/courses/labels.ts';

const course = (id: number, part: Partial<Course> = {}): Course => ({
  id,
  year: 2026,
  semester: 1,
  subject: `과목 ${id}`,
  subject_en: `Course ${id}`,
  target: 3,
  target_etc: '',
  target_etc_en: '',
  ...part,
});

describe('the form of a course', () => {
  test.each([
    ['2026-02-28T14:59:59Z', 3, '2026'],
    ['2026-02-28T15:00:00Z', 1, '2026'],
    ['2026-08-31T14:59:59Z', 1, '2026'],
    ['2026-08-31T15:00:00Z', 3, '2026'],
    ['2026-12-31T15:00:00Z', 3, '2027'],
  ])('CRS-2 at %s it starts with semester %i of %s', (instant, semester, year) => {
    expect(emptyDraft(Date.parse(instant))).toMatchObject({ semester, year });
  });

  test('CRS-2 the year is a whole number from 2021 to 2050', () => {
    const problemOf = (year: string) => draftProblems({ ...draftOf(course(1)), year })['year'];
    for (const year of ['2021', '2050']) expect(problemOf(year), year).toBeUndefined();
    for (const year of ['', ' ', '2020', '2051', '2026.5', 'x'])
      expect(problemOf(year), year).toBe('연도는 2021에서 2050 사이로 입력하세요');
  });

  test('CRS-2 names and year are required; words for the target only where the target is other', () => {
    const empty: CourseDraft = { ...emptyDraft(0), year: '', subject: ' ', subject_en: '' };
    expect(Object.keys(draftProblems(empty))).toEqual(['year', 'subject', 'subject_en']);
    const other: CourseDraft = { ...draftOf(course(1)), target: 0 };
    expect(Object.keys(draftProblems(other))).toEqual(['target_etc']);
    expect(draftProblems({ ...other, target_etc: '고교생' })).toEqual({});
    const longEnglish = { ...other, target_etc: '고교생', target_etc_en: 'x'.repeat(201) };
    expect(Object.keys(draftProblems(longEnglish))).toEqual(['target_etc_en']);
    expect(
      courseFormOf({ ...other, target: 2, target_etc: '고교생', target_etc_en: 'Pupils' }, 7),
    ).toMatchObject({
      id: 7,
      target: 2,
      target_etc: '',
      target_etc_en: '',
    });
  });

  test('CRS-2 whatever is typed is what the API takes, or is told in Korean beside its field', () => {
    const drafts: fc.Arbitrary<CourseDraft> = fc.record({
      year: fc.oneof(fc.integer({ min: 2015, max: 2055 }).map(String), fc.string()),
      semester: fc.constantFrom(1, 2, 3, 4),
      subject: fc.string({ maxLength: 210 }),
      subject_en: fc.string({ maxLength: 210 }),
      target: fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 7),
      target_etc: fc.string({ maxLength: 210 }),
      target_etc_en: fc.string({ maxLength: 210 }),
    });
    fc.assert(
      fc.property(drafts, (draft) => {
        const problems = Object.entries(draftProblems(draft));
        for (const [field, text] of problems) {
          expect(draft).toHaveProperty(field);
          expect(text).toMatch(/[가-힣]/);
        }
        const { success } = courseFormSchema.safeParse(courseFormOf(draft, null));
        expect(success).toBe(problems.length === 0);
      }),
      { seed: 20_261_121 },
    );
  });

  test('CRS-3 semesters read as the university names them', () => {
    expect(semesterOptions.map(({ label }) => label)).toEqual(['1학기', '여름학기', '2학기', '겨울학기']);
  });
});

describe('copies into another year', () => {
  test('CRS-4 a copy is a new course of the same semester in the other year', () => {
    const [planned] = planCopies([course(1, { target: 0, target_etc: '고교생' })], 2027, []);
    expect(planned?.form).toEqual({ ...course(1), id: null, year: 2027, target: 0, target_etc: '고교생' });
    expect(planned?.twin).toBeUndefined();
  });

  test('CRS-4 likely duplicates in the other year are found by either name', () => {
    const stored = [
      course(5, { year: 2027, subject: '과 목1' }),
      course(6, { year: 2027, subject_en: 'COURSE 2' }),
    ];
    const twins = planCopies([course(1), course(2), course(3)], 2027, stored).map(({ twin }) => twin?.id);
    expect(twins).toEqual([5, 6, undefined]);
    const elsewhere = course(7, { year: 2027, semester: 3, subject: '과목 1' });
    expect(findTwin({ ...course(1), year: 2027, id: null }, [elsewhere])).toBeUndefined();
    expect(findTwin(course(1), [course(1)])).toBeUndefined();
  });

  test('CRS-4 the terms to choose from are those with courses, newest first', () => {
    const courses = [course(1), course(2, { semester: 4 }), course(3), course(4, { year: 2025 })];
    expect(termsOf(courses)).toEqual([
      { year: 2026, semester: 4, count: 1 },
      { year: 2026, semester: 1, count: 2 },
      { year: 2025, semester: 1, count: 1 },
    ]);
  });
});
