import type { Department, Subject } from '#contract/subjects';

/** A subject with the department whose timetable holds it. */
export type ListedSubject = Subject & { department: Department };

/** Two departments may list the same subject, so its id alone does not name the row. */
export function subjectKey({ department, id }: ListedSubject): string {
  return `${department} ${id}`;
}

/** The subjects of several departments as one list: by grade with the graduate level last, then by name. */
export function mergeSubjects(
  lists: readonly { department: Department; subjects: readonly Subject[] }[],
): ListedSubject[] {
  const order = (year: number) => (year === 0 ? Number.MAX_SAFE_INTEGER : year);
  return lists
    .flatMap(({ department, subjects }) => subjects.map((subject) => ({ ...subject, department })))
    .sort(
      (a, b) => order(a.year) - order(b.year) || words.compare(a.name, b.name) || words.compare(a.id, b.id),
    );
}

const words = new Intl.Collator('ko', { numeric: true });

/** @param grades which are shown; none means all */
export function ofGrades(subjects: readonly ListedSubject[], grades: readonly number[]): ListedSubject[] {
  return subjects.filter(({ year }) => grades.length === 0 || grades.includes(year));
}
