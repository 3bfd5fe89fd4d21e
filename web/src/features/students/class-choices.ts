import type { RosterCourse, RosterRow, Student } from '#contract/students';
import { courseName, type CourseKey } from './term.ts';

type ClassChoice = { value: string; label: string; course: CourseKey };

/** The classes that have a roster, for a select. */
export function classChoices(courses: readonly RosterCourse[]): ClassChoice[] {
  return courses.flatMap(({ year, semester, subject }) => {
    if (semester !== 1 && semester !== 2) return [];
    const course = { year, semester, subject } as const;
    return [{ value: `${year}-${semester}-${subject}`, label: courseName(course), course }];
  });
}

/** The students of a class, with the serial number, year and status that they have in it. */
export function studentsOfClass(students: readonly Student[], roster: readonly RosterRow[]): Student[] {
  const rows = new Map(roster.map((row) => [row.id, row]));
  return students.flatMap((student) => {
    const row = rows.get(student.id);
    return row ? [{ ...student, no: row.no, year: row.year, type: row.type }] : [];
  });
}
