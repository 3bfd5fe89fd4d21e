import type { Department, Subject } from '#contract/subjects';
import { plainText, weeks } from './timetable.ts';

/** A subject and the department that lists it. */
export type ListedSubject = Subject & { department: Department };

/** A unique key: two departments may list the same subject, so the id alone is not enough. */
export function subjectKey({ department, id }: ListedSubject): string {
  return `${department} ${id}`;
}

export const NOT_TAUGHT = /폐강|개설\s?취소|미개설|미운영|강의\s?없음|cancel/i;

/** The field that says 폐강 or the like (not taught); undefined if no field says so. */
export const cancelledField = (subject: Subject) =>
  (['etc', 'name', 'type', 'time', 'classroom'] as const).find((field) => NOT_TAUGHT.test(subject[field]));

/** A part of a text by which a class is not weekly or not by day: `격주`, `9/5`, `7월 1일`, `야간`. */
export const otherTimeIn = (text: string) => OTHER_TIME.exec(plainText(text))?.[0].trim();

const OTHER_TIME = new RegExp(
  `(?![(\\[]?매주)${weeks}|(?<![\\d/])(?:1[0-2]|0?[1-9])(?:/(?:[12]\\d|3[01]|0?[1-9])(?!\\s?학년|[\\d/])|월\\s?\\d{1,2}\\s?일)|야간`,
  'iu',
);

/** Merges several departments' subjects, sorted by grade (graduate level last), then by name. */
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

/** @param grades visible grades; empty for all */
export function filterByGrades(
  subjects: readonly ListedSubject[],
  grades: readonly number[],
): ListedSubject[] {
  return subjects.filter(({ year }) => grades.length === 0 || grades.includes(year));
}
