import type { Course } from './courses.ts';
import type { RosterRow } from './students.ts';
import type { Department, Subject, SubjectSemester } from './subjects.ts';

/**
 * Response of GET /api/find: names and numbers by which records can be found. The browser does the search, so
 * that the searched words, which are names, are never sent.
 */
export type SearchableRecords = {
  students: Pick<RosterRow, 'id' | 'name' | 'department'>[];
  /** Newest term first. */
  courses: Pick<Course, 'id' | 'year' | 'semester' | 'subject' | 'subject_en'>[];
  /** Each subject with the newest term in which a department teaches it. */
  subjects: (Pick<Subject, 'id' | 'name'> & {
    department: Department;
    year: number;
    semester: SubjectSemester;
  })[];
  /** Null when PLANTS_DB does not answer. */
  plants: string[] | null;
};
