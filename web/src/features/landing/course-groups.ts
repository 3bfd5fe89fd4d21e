import type { Course, Semester } from '#contract/courses';

export type SemesterGroup = { semester: Semester; courses: Course[] };
export type YearGroup = { year: number; semesters: SemesterGroup[] };

/** Courses by year, then by semester, both newest first; within a semester in the API's order. */
export function groupCourses(courses: Course[]): YearGroup[] {
  const years = Map.groupBy(courses, ({ year }) => year);
  return [...years]
    .sort(([a], [b]) => b - a)
    .map(([year, ofYear]) => ({
      year,
      semesters: [...Map.groupBy(ofYear, ({ semester }) => semester)]
        .sort(([a], [b]) => b - a)
        .map(([semester, ofSemester]) => ({ semester, courses: ofSemester })),
    }));
}
