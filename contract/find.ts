import type { Course } from './courses.ts';
import type { RosterRow } from './students.ts';
import type { Department, Subject, SubjectSemester } from './subjects.ts';

/**
 * Response of GET /api/find: by what name and number everything is found. The words that are searched for stay in the
 * browser: they are names.
 */
export type Findable = {
  students: Pick<RosterRow, 'id' | 'name' | 'department'>[];
  /** Newest term first. */
  courses: Pick<Course, 'id' | 'year' | 'semester' | 'subject' | 'subject_en'>[];
  /** Each with the newest term in which a department teaches it. */
  subjects: (Pick<Subject, 'id' | 'name'> & {
    department: Department;
    year: number;
    semester: SubjectSemester;
  })[];
  /** Null when their database does not answer. */
  plants: string[] | null;
};
