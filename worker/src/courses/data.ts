import type { Course } from '#contract/courses';
import type { Database } from '#db/client';
import { courses } from '#db/schema';
import { asc, desc } from 'drizzle-orm';

/** Every course, newest term first. */
export async function listCourses(db: Database): Promise<Course[]> {
  return await db
    .select({
      id: courses.id,
      year: courses.year,
      semester: courses.semester,
      subject: courses.subject,
      subject_en: courses.subjectEn,
      target: courses.target,
      target_etc: courses.targetEtc,
    })
    .from(courses)
    .orderBy(desc(courses.year), desc(courses.semester), asc(courses.id));
}
