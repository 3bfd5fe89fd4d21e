import type { Course, CourseForm, Semester } from '#contract/courses';
import { plainWords } from '../../lib/plain-words.ts';

type Term = Pick<Course, 'year' | 'semester'>;

/** The request body of a copy, and the stored course that it would duplicate. */
export type PlannedCopy = { source: Course; form: CourseForm; twin: Course | undefined };

export function termKey({ year, semester }: Term): string {
  return `${year}-${semester}`;
}

/** The terms that have courses, newest first. */
export function termsOf(courses: readonly Course[]): { year: number; semester: Semester; count: number }[] {
  return [...Map.groupBy(courses, termKey).values()]
    .flatMap((group) => {
      const [first] = group;
      return first ? [{ year: first.year, semester: first.semester, count: group.length }] : [];
    })
    .sort((a, b) => b.year - a.year || b.semester - a.semester);
}

export function planCopies(
  sources: readonly Course[],
  year: number,
  courses: readonly Course[],
): PlannedCopy[] {
  return sources.map((source) => {
    const { id: _, version: __, ...fields } = source;
    const form = { ...fields, year, id: null };
    return { source, form, twin: findTwin(form, courses) };
  });
}

/** A stored course of the same term with the same Korean or English name, probably the same course. */
export function findTwin(
  { id, year, semester, subject, subject_en }: CourseForm,
  courses: readonly Course[],
): Course | undefined {
  return courses.find(
    (course) =>
      course.id !== id &&
      course.year === year &&
      course.semester === semester &&
      (isSameName(course.subject, subject) || isSameName(course.subject_en, subject_en)),
  );
}

function isSameName(a: string, b: string): boolean {
  const name = plainWords(a);
  return name !== '' && name === plainWords(b);
}
