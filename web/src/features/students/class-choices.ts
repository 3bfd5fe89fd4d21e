import type { RosterCourse, RosterRow, Student } from '#contract/students';
import { courseName, type CourseKey } from './term.ts';

type ClassChoice = { value: string; label: string; course: CourseKey };

/** Classes with a roster, as select options. */
export function classChoices(courses: readonly RosterCourse[]): ClassChoice[] {
  return courses.flatMap(({ year, semester, subject }) => {
    if (semester !== 1 && semester !== 2) return [];
    const course = { year, semester, subject } as const;
    return [{ value: `${year}-${semester}-${subject}`, label: courseName(course), course }];
  });
}

/** A class's students with their serial number, year and status in it. */
export function studentsOfClass(students: readonly Student[], roster: readonly RosterRow[]): Student[] {
  const rows = new Map(roster.map((row) => [row.id, row]));
  return students.flatMap((student) => {
    const row = rows.get(student.id);
    return row ? [{ ...student, no: row.no, year: row.year, type: row.type }] : [];
  });
}
