import { SEOUL_AHEAD_MS } from '#contract/time';
import { COURSE_YEAR_MIN } from '#contract/course-target';
import type { SubjectSemester } from '#contract/subjects';
import type { ChoiceSearch, View } from './choice.ts';

const VIEWS: readonly View[] = ['list', 'week', 'input'];
const SEMESTERS: readonly SubjectSemester[] = ['spring', 'summer', 'fall', 'winter'];

/** Takes from an address what a choice can be made of. */
export function validateChoice(search: Record<string, unknown>, now: number): ChoiceSearch {
  const { dept, year, semester, grade, view } = search;
  const thisYear = new Date(now + SEOUL_AHEAD_MS).getUTCFullYear();
  const isYear = typeof year === 'number' && Number.isInteger(year);
  const knownSemester = SEMESTERS.find((each) => each === semester);
  const knownView = VIEWS.find((each) => each === view);
  return {
    ...(typeof dept === 'string' && { dept }),
    ...(isYear && year >= COURSE_YEAR_MIN && year <= thisYear && { year }),
    ...(knownSemester && { semester: knownSemester }),
    ...((typeof grade === 'string' || typeof grade === 'number') && { grade: String(grade) }),
    ...(knownView && { view: knownView }),
  };
}
