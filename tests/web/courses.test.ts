import { COURSE_TARGETS } from '#contract/course-target';
import { courseFormSchema } from '#contract/courses';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findDuplicateCourse,
  planCopies,
  termsWithCourses,
} from '../../web/src/features/courses/copy-flow.ts';
import {
  courseFormOf,
  courseDraftOf,
  courseDraftProblems,
  emptyCourseDraft,
  type CourseDraft,
  semesterOptions,
} from '../../web/src/features/courses/course-draft.ts';
import { propertyRuns } from '../support/counts.ts';
import { course } from '../support/course.ts';

describe('the form of a course', () => {
  test.each([
    ['2026-02-28T14:59:59Z', 3, '2026'],
    ['2026-02-28T15:00:00Z', 1, '2026'],
    ['2026-08-31T14:59:59Z', 1, '2026'],
    ['2026-08-31T15:00:00Z', 3, '2026'],
    ['2026-12-31T15:00:00Z', 3, '2027'],
  ])('CRS-2 at %s it starts with semester %i of %s', (instant, semester, year) => {
    expect(emptyCourseDraft(Date.parse(instant))).toMatchObject({ semester, year });
  });

  test('CRS-2 the year is a whole number from 2021 to 2050', () => {
    const problemOf = (year: string) => courseDraftProblems({ ...courseDraftOf(course(1)), year })['year'];
    for (const year of ['2021', '2050']) expect(problemOf(year), year).toBeUndefined();
    for (const year of ['', ' ', '2020', '2051', '2026.5', 'x'])
      expect(problemOf(year), year).toBe('연도는 2021에서 2050 사이로 입력하세요');
  });

  test('CRS-2 names and year are required; words for the target only where the target is other', () => {
    const empty: CourseDraft = { ...emptyCourseDraft(0), year: '', subject: ' ', subject_en: '' };
    expect(Object.keys(courseDraftProblems(empty))).toEqual(['year', 'subject', 'subject_en']);
    const other: CourseDraft = { ...courseDraftOf(course(1)), target: 0 };
    expect(Object.keys(courseDraftProblems(other))).toEqual(['target_etc']);
    expect(courseDraftProblems({ ...other, target_etc: '고교생' })).toEqual({});
    const longEnglish = { ...other, target_etc: '고교생', target_etc_en: 'x'.repeat(201) };
    expect(Object.keys(courseDraftProblems(longEnglish))).toEqual(['target_etc_en']);
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
    const semester = fc.constantFrom<CourseDraft['semester']>(1, 2, 3, 4);
    const year = fc.oneof(
      fc.integer({ min: 2018, max: 2053 }).map(String),
      fc.constantFrom('', ' ', '이천', ' 2026 ', '2026.5'),
    );
    const space = fc.constantFrom('', ' ', '\t');
    const text = fc
      .tuple(space, fc.constantFrom(0, 1, 2, 199, 200, 201), space)
      .map(([before, length, after]) => before + '가'.repeat(length) + after);
    const target = fc.constantFrom(...COURSE_TARGETS);
    const drafts = fc.record({
      year,
      semester,
      subject: text,
      subject_en: text,
      target,
      target_etc: text,
      target_etc_en: text,
    });
    const fits = (typed: string, least: number) => typed.trim().length >= least && typed.trim().length <= 200;
    const seen = { told: 0, taken: 0 };
    fc.assert(
      fc.property(drafts, (draft) => {
        const isOther = draft.target === 0;
        const right: Record<string, boolean> = {
          year: /^20(2[1-9]|[34]\d|50)$/.test(draft.year.trim()),
          subject: fits(draft.subject, 1),
          subject_en: fits(draft.subject_en, 1),
          target_etc: !isOther || fits(draft.target_etc, 1),
          target_etc_en: !isOther || fits(draft.target_etc_en, 0),
        };
        const problems = courseDraftProblems(draft);
        expect(Object.keys(problems).toSorted()).toEqual(
          Object.keys(right)
            .filter((field) => !right[field])
            .toSorted(),
        );
        for (const told of Object.values(problems)) expect(told).toMatch(/[가-힣]/);
        const isRight = Object.values(right).every(Boolean);
        seen[isRight ? 'taken' : 'told'] += 1;
        if (!isRight) return;
        expect(courseFormSchema.parse(courseFormOf(draft, null))).toEqual({
          id: null,
          year: Number(draft.year),
          semester: draft.semester,
          subject: draft.subject.trim(),
          subject_en: draft.subject_en.trim(),
          target: draft.target,
          target_etc: isOther ? draft.target_etc.trim() : '',
          target_etc_en: isOther ? draft.target_etc_en.trim() : '',
        });
      }),
      propertyRuns(500),
    );
    expect(Math.min(seen.told, seen.taken)).toBeGreaterThan(20);
  });

  test('CRS-3 semesters read as the university names them', () => {
    expect(semesterOptions.map(({ label }) => label)).toEqual(['1학기', '여름학기', '2학기', '겨울학기']);
  });
});

describe('copies into another year', () => {
  test('CRS-4 a copy is a new course of the same semester in the other year', () => {
    const [planned] = planCopies([course(1, { target: 0, target_etc: '고교생' })], 2027, []);
    const { version: _, ...fields } = course(1);
    expect(planned?.form).toEqual({ ...fields, id: null, year: 2027, target: 0, target_etc: '고교생' });
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
    expect(findDuplicateCourse({ ...course(1), year: 2027, id: null }, [elsewhere])).toBeUndefined();
    expect(findDuplicateCourse(course(1), [course(1)])).toBeUndefined();
  });

  test('CRS-4 the terms to choose from are those with courses, newest first', () => {
    const courses = [course(1), course(2, { semester: 4 }), course(3), course(4, { year: 2025 })];
    expect(termsWithCourses(courses)).toEqual([
      { year: 2026, semester: 4, count: 1 },
      { year: 2026, semester: 1, count: 2 },
      { year: 2025, semester: 1, count: 1 },
    ]);
  });
});
