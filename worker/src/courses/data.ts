import type { Course, CourseForm } from '#contract/courses';
import type { Database } from '#db/client';
import { courses } from '#db/schema';
import { asc, desc, eq } from 'drizzle-orm';

/** Every course, newest term first. */
export async function listCourses(db: Database): Promise<Course[]> {
  return await db.select().from(courses).orderBy(desc(courses.year), desc(courses.semester), asc(courses.id));
}

type CourseFields = Omit<CourseForm, 'id'>;

export async function createCourse(db: Database, fields: CourseFields): Promise<Course> {
  const [course] = await db.insert(courses).values(fields).returning();
  if (!course) throw new Error('the course was not inserted');
  return course;
}

/** Undefined when there is no such course. */
export async function replaceCourse(
  db: Database,
  id: number,
  fields: CourseFields,
): Promise<Course | undefined> {
  const [course] = await db.update(courses).set(fields).where(eq(courses.id, id)).returning();
  return course;
}

/** False when there is no such course. */
export async function deleteCourse(db: Database, id: number): Promise<boolean> {
  const { meta } = await db.delete(courses).where(eq(courses.id, id));
  return meta.changes === 1;
}
