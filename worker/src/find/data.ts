import type { SearchableRecords } from '#contract/find';
import type { Database } from '#db/client';
import { rosterVersion, students, subjects } from '#db/roster';
import { courses } from '#db/courses';
import { jsonObject } from '#db/sql';
import { asc, desc, max, sql } from 'drizzle-orm';
import { logPerRow } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';

/** Position of the season within a year, for sorting. */
const SEASON = sql`instr('spring summer fall winter', ${subjects.semester})`;

/**
 * Everything that can be found. Every student's name is included: this is logged as one read of the students.
 * @param plants the names of the plants, from PLANTS_DB; null when it does not answer
 */
export async function listSearchableRecords(
  db: Database,
  by: Actor,
  plants: string[] | null,
): Promise<SearchableRecords> {
  const [, ofStudents, ofCourses, ofSubjects] = await db.commit([
    logPerRow(
      db,
      by,
      { action: 'read', subject: 'student', detail: jsonObject({ count: rosterVersion.students }) },
      sql`FROM ${rosterVersion}`,
    ),
    db
      .select({ id: students.id, name: students.name, department: students.department })
      .from(students)
      .orderBy(asc(students.id)),
    db
      .select({
        id: courses.id,
        year: courses.year,
        semester: courses.semester,
        subject: courses.subject,
        subject_en: courses.subject_en,
      })
      .from(courses)
      .orderBy(desc(courses.year), desc(courses.semester), asc(courses.id)),
    // SQLite takes the other columns from the row that holds max().
    db
      .select({
        id: subjects.id,
        name: subjects.name,
        department: subjects.department,
        year: subjects.year,
        semester: subjects.semester,
        newest: max(sql`${subjects.year} * 100 + ${SEASON}`).as('newest'),
      })
      .from(subjects)
      .groupBy(subjects.department, subjects.id)
      .orderBy(asc(subjects.id)),
  ]);
  return {
    students: ofStudents,
    courses: ofCourses,
    subjects: ofSubjects.map(({ id, name, department, year, semester }) => ({
      id,
      name,
      department,
      year,
      semester,
    })),
    plants,
  };
}
