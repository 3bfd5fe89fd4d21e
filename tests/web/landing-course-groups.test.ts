import type { Course } from '#contract/courses';
import { expect, test } from 'vitest';
import { foldYears, groupCourses } from '../../web/src/features/landing/course-groups.ts';

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

test.each([
  [[7], [1], []],
  [[2], [1], []],
  [[], [], []],
  // Fifteen fit; a year is never divided.
  [[8, 7, 1], [1, 2], [3]],
  [[8, 8], [1], [2]],
  // The newest always shows, however long.
  [[40, 1], [1], [2]],
])('PUB-17 of years with %j courses, those numbered %j show and %j are folded', (sizes, recent, older) => {
  const years = sizes.flatMap((size, at) =>
    Array.from({ length: size }, (_, n) => course(at * 100 + n, 2050 - at, 1)),
  );
  const numbers = (groups: { year: number }[]) => groups.map(({ year }) => 2051 - year);
  const folded = foldYears(groupCourses(years));
  expect([numbers(folded.recent), numbers(folded.older)]).toEqual([recent, older]);
});
