import type { Course, CourseBody } from '#contract/courses';
import type { Database } from '#db/client';
import { courses } from '#db/courses';
import { and, asc, desc, eq } from 'drizzle-orm';

export async function listCourses(db: Database): Promise<Course[]> {
  return await db.select().from(courses).orderBy(desc(courses.year), desc(courses.semester), asc(courses.id));
}

type CourseFields = Omit<CourseBody, 'id' | 'version'>;

export async function createCourse(db: Database, fields: CourseFields): Promise<Course> {
  const [[course]] = await db.commit([db.insert(courses).values(fields).returning()]);
  if (!course) throw new Error('the course was not inserted');
  return course;
}

/**
 * Replaces a course if its version is still the version that the sender knows. A trigger raises the version.
 * @returns the course as it is stored now; undefined if there is none
 */
export async function replaceCourse(
  db: Database,
  id: number,
  version: number | undefined,
  fields: CourseFields,
): Promise<{ course: Course; isOutdated: boolean } | undefined> {
  const isIt = eq(courses.id, id);
  const isVersion = version === undefined ? undefined : eq(courses.version, version);
  const [replaced, [course]] = await db.commit([
    db.update(courses).set(fields).where(and(isIt, isVersion)).returning({ id: courses.id }),
    db.select().from(courses).where(isIt),
  ]);
  return course && { course, isOutdated: replaced.length === 0 };
}

/** Returns false if there is no such course. */
export async function deleteCourse(db: Database, id: number): Promise<boolean> {
  const [{ meta }] = await db.commit([db.delete(courses).where(eq(courses.id, id))]);
  return meta.changes === 1;
}
