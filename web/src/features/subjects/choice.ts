import { COURSE_YEAR_MIN } from '#contract/course-target';
import type { Department, SubjectSemester } from '#contract/subjects';
import { subjectTerm } from '#contract/terms';
import { DEPARTMENTS, type Term } from './subject-words.ts';

export type View = 'list' | 'week' | 'input';

/** Grades that the chips stand for; 0 is the graduate level. */
export const GRADES = [1, 2, 3, 4, 0] as const;

/** What the screen shows. */
export type Choice = Term & {
  departments: readonly Department[];
  /** Grades that are shown; none means all. */
  grades: readonly number[];
  view: View;
};

/** The choice as the address has it. What is as at first is not in the address. */
export type ChoiceSearch = {
  dept?: string;
  year?: number;
  semester?: SubjectSemester;
  grade?: string;
  view?: View;
};

const FIRST_DEPARTMENTS: readonly Department[] = ['aics', 'cs'];

/** Years that can be chosen, newest first. */
export function yearsUntil(year: number): number[] {
  return Array.from({ length: Math.max(1, year - COURSE_YEAR_MIN + 1) }, (_, back) => year - back);
}

export function readChoice(search: ChoiceSearch, now: number): Choice {
  const term = subjectTerm(now);
  const departments = search.dept?.split(',') ?? FIRST_DEPARTMENTS;
  const grades = search.grade?.split(',') ?? [];
  return {
    departments: DEPARTMENTS.filter((department) => departments.includes(department)),
    year: search.year ?? term.year,
    semester: search.semester ?? term.semester,
    grades: GRADES.filter((grade) => grades.includes(String(grade))),
    view: search.view ?? 'list',
  };
}

export function searchOf({ departments, year, semester, grades, view }: Choice, now: number): ChoiceSearch {
  const term = subjectTerm(now);
  const dept = departments.join(',');
  return {
    ...(dept !== FIRST_DEPARTMENTS.join(',') && { dept }),
    ...(year !== term.year && { year }),
    ...(semester !== term.semester && { semester }),
    ...(grades.length > 0 && { grade: grades.join(',') }),
    ...(view !== 'list' && { view }),
  };
}
