import type { Course, CourseForm } from '#contract/courses';
import type { Database } from '#db/client';
import { courses } from '#db/schema';
import { asc, desc, eq } from 'drizzle-orm';

const columns = {
  id: courses.id,
  year: courses.year,
  semester: courses.semester,
  subject: courses.subject,
  subject_en: courses.subjectEn,
  target: courses.target,
  target_etc: courses.targetEtc,
  target_etc_en: courses.targetEtcEn,
};

/** Every course, newest term first. */
export async function listCourses(db: Database): Promise<Course[]> {
  return await db
    .select(columns)
    .from(courses)
    .orderBy(desc(courses.year), desc(courses.semester), asc(courses.id));
}

type CourseFields = Omit<CourseForm, 'id'>;

export async function createCourse(db: Database, fields: CourseFields): Promise<Course> {
  const [course] = await db.insert(courses).values(rowOf(fields)).returning(columns);
  if (!course) throw new Error('the course was not inserted');
  return course;
}

/** Undefined when there is no such course. */
export async function replaceCourse(
  db: Database,
  id: number,
  fields: CourseFields,
): Promise<Course | undefined> {
  const [course] = await db.update(courses).set(rowOf(fields)).where(eq(courses.id, id)).returning(columns);
  return course;
}

/** False when there is no such course. */
export async function deleteCourse(db: Database, id: number): Promise<boolean> {
  const { meta } = await db.delete(courses).where(eq(courses.id, id));
  return meta.changes === 1;
}

function rowOf({ subject_en, target_etc, target_etc_en, ...others }: CourseFields) {
  const { year, semester, subject, target } = others;
  return {
    year,
    semester,
    subject,
    subjectEn: subject_en,
    target,
    targetEtc: target_etc,
    targetEtcEn: target_etc_en,
  };
}
