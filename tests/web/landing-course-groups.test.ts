import { expect, test } from 'vitest';
import { splitRecentYears, groupCourses } from '../../web/src/features/landing/course-groups.ts';
import { course } from '../support/course.ts';

test('PUB-7 courses are grouped by year, then by semester, newest first', () => {
  const groups = groupCourses([
    course(1, { year: 2025, semester: 1 }),
    course(2, { year: 2026, semester: 1 }),
    course(3, { year: 2026, semester: 4 }),
    course(4, { year: 2026, semester: 1 }),
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
    Array.from({ length: size }, (_, n) => course(at * 100 + n, { year: 2050 - at })),
  );
  const numbers = (groups: { year: number }[]) => groups.map(({ year }) => 2051 - year);
  const folded = splitRecentYears(groupCourses(years));
  expect([numbers(folded.recent), numbers(folded.older)]).toEqual([recent, older]);
});
