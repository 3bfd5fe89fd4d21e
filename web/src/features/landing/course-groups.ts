import type { Course, Semester } from '#contract/courses';
import { groupBy } from '../../lib/collections.ts';

export type SemesterGroup = { semester: Semester; courses: Course[] };
export type YearGroup = { year: number; semesters: SemesterGroup[] };

/** Courses grouped by year, then by semester, both newest first; within a semester in the API's order. */
export function groupCourses(courses: Course[]): YearGroup[] {
  const years = groupBy(courses, ({ year }) => year);
  return [...years]
    .sort(([a], [b]) => b - a)
    .map(([year, ofYear]) => ({
      year,
      semesters: [...groupBy(ofYear, ({ semester }) => semester)]
        .sort(([a], [b]) => b - a)
        .map(([semester, ofSemester]) => ({ semester, courses: ofSemester })),
    }));
}

/** Number of courses that about fill a screen. */
const UNFOLDED = 15;

/** Splits the years: `recent` has the newest years with up to UNFOLDED courses, but at least one year. */
export function splitRecentYears(groups: YearGroup[]): { recent: YearGroup[]; older: YearGroup[] } {
  let courses = 0;
  const first = groups.findIndex(({ semesters }) => {
    courses += semesters.reduce((sum, semester) => sum + semester.courses.length, 0);
    return courses > UNFOLDED;
  });
  const many = first === -1 ? groups.length : Math.max(1, first);
  return { recent: groups.slice(0, many), older: groups.slice(many) };
}
