import type { Course } from '#contract/courses';
import { expect, test } from 'vitest';
import { groupCourses } from '../../web/src/features/landing/course-groups.ts';

const course = (id: number, year: number, semester: Course['semester']): Course => ({
  id,
  year,
  semester,
  subject: `과목 ${id}`,
  subject_en: `Course ${id}`,
  target: 3,
  target_etc: '',
  target_etc_en: '',
  version: 1,
});

test('PUB-7 courses are grouped by year, then by semester, newest first', () => {
  const groups = groupCourses([
    course(1, 2025, 1),
    course(2, 2026, 1),
    course(3, 2026, 4),
    course(4, 2026, 1),
  ]);
  expect(
    groups.map(({ year, semesters }) => [
      year,
      semesters.map(({ semester, courses }) => [semester, courses.map(({ id }) => id)]),
    ]),
  ).toEqual([
    [
      2026,
      [
        [4, [3]],
        [1, [2, 4]],
      ],
    ],
    [2025, [[1, [1]]]],
  ]);
});

test('PUB-7 no courses make no groups', () => {
  expect(groupCourses([])).toEqual([]);
});
