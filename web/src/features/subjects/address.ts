import { COURSE_YEAR_MIN } from '#contract/course-target';
import type { Department, SubjectSemester } from '#contract/subjects';
import { subjectTerm } from '#contract/terms';
import { SEOUL_AHEAD_MS } from '#contract/time';
import { GRADES, type Choice, type View } from './choice.ts';
import { DEPARTMENTS } from './labels.ts';

/** The choice in the address, without default values. */
type ChoiceAddress = {
  dept?: string;
  year?: number;
  semester?: SubjectSemester;
  grade?: string;
  view?: View;
};

const FIRST_DEPARTMENTS: readonly Department[] = ['aics', 'cs'];
const SEMESTERS: readonly SubjectSemester[] = ['spring', 'summer', 'fall', 'winter'];
const VIEWS: readonly View[] = ['list', 'week', 'input'];

/** The choice for an address; invalid parts are ignored. */
export function readAddress(address: Record<string, unknown>, now: number): Choice {
  const { dept, year, semester, grade, view } = address;
  const term = subjectTerm(now);
  const thisYear = new Date(now + SEOUL_AHEAD_MS).getUTCFullYear();
  const isYear =
    typeof year === 'number' && Number.isInteger(year) && year >= COURSE_YEAR_MIN && year <= thisYear;
  const named = typeof dept === 'string' ? dept.split(',') : [];
  const departments = DEPARTMENTS.filter((department) => named.includes(department));
  const grades = typeof grade === 'string' || typeof grade === 'number' ? String(grade).split(',') : [];
  return {
    // An empty selection is valid.
    departments: departments.length > 0 || dept === '' ? departments : FIRST_DEPARTMENTS,
    year: isYear ? year : term.year,
    semester: SEMESTERS.find((each) => each === semester) ?? term.semester,
    grades: GRADES.filter((each) => grades.includes(String(each))),
    view: VIEWS.find((each) => each === view) ?? 'list',
  };
}

export function addressOf(choice: Choice, now: number): ChoiceAddress {
  const { departments, year, semester, grades, view } = choice;
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
