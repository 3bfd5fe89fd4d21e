import { SEOUL_OFFSET_MS } from './time.ts';
import { COURSE_YEAR_MAX, COURSE_YEAR_MIN } from './course-target.ts';
import type { Semester } from './courses.ts';
import type { SubjectSemester } from './subjects.ts';

/*
 * The university's calendar, in Seoul. One rule finds the current term; each form has its own default, with
 * months that the specification gives.
 */

/** The month in which each term begins. The second term ends in the next year. */
const FIRST_MONTH = { 1: 3, 2: 9 } as const;

export type Term = { year: number; semester: 1 | 2 };

export const SEASON_LABELS: Record<SubjectSemester, string> = {
  spring: '1학기',
  summer: '여름학기',
  fall: '2학기',
  winter: '겨울학기',
};

/** The seasons in the order of a public course's semester numbers, which start at 1. */
const SEASONS = ['spring', 'summer', 'fall', 'winter'] as const;

/** Converts a roster class's semester (1 or 2) into the semester number of a public course. */
export const courseSemester = (semester: Term['semester']) => (semester === 1 ? 1 : 3);
export const seasonOf = (semester: Semester): SubjectSemester => SEASONS[semester - 1] ?? 'spring';

/** `2026년 여름학기`, for a public course or a timetable. */
export const seasonText = ({ year, semester }: { year: number; semester: Semester | SubjectSemester }) =>
  `${year}년 ${SEASON_LABELS[typeof semester === 'number' ? seasonOf(semester) : semester]}`;

/** `2026년 1학기` */
export const termText = ({ year, semester }: { year: number; semester: number }) =>
  `${year}년 ${semester}학기`;

/** A term as a number for sorting. */
export const termSortKey = ({ year, semester }: { year: number; semester: number }) => year * 10 + semester;

export const nextTerm = ({ year, semester }: Term): Term =>
  semester === 1 ? { year, semester: 2 } : { year: year + 1, semester: 1 };

export const previousTerm = ({ year, semester }: Term): Term =>
  semester === 2 ? { year, semester: 1 } : { year: year - 1, semester: 2 };

export function termOfDay(day: string): Term {
  return termOfMonth(Number(day.slice(0, 4)), Number(day.slice(5, 7)));
}

export function currentTerm(now: number): Term {
  const { year, month } = seoulMonth(now);
  return termOfMonth(year, month);
}

/** The current term as a course's semester: Spring or Fall. Summer and winter have no own months here. */
export function currentSemester(now: number): { year: number; semester: Semester } {
  const { year, semester } = currentTerm(now);
  return { year, semester: courseSemester(semester) };
}

/** Start of a term, in milliseconds since 1970; the term ends when the next term starts. */
export function termStart({ year, semester }: Term): number {
  return Date.UTC(year, FIRST_MONTH[semester] - 1) - SEOUL_OFFSET_MS;
}

export const hasTermBegun = (term: Term, now: number) => termStart(term) <= now;

/** First and last day of a term, in any year of the calendar. */
export function termDays(term: Term): { first: string; last: string } {
  const next = nextTerm(term);
  return {
    first: dayOf(term.year, FIRST_MONTH[term.semester], 1),
    last: dayOf(next.year, FIRST_MONTH[next.semester], 0),
  };
}

/** The 0th day of a month is the last day of the month before. Date.UTC would read the year 26 as 1926. */
function dayOf(year: number, month: number, day: number): string {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.toISOString().slice(0, 10);
}

/**
 * The current term and the next, in January and February; empty in other months. Forms then default to the
 * next term, which has not begun, so they offer both.
 */
export function selectableTerms(now: number): Term[] {
  if (seoulMonth(now).month >= FIRST_MONTH[1]) return [];
  const running = currentTerm(now);
  return [running, nextTerm(running)];
}

/** Default of the student import: this year's first term from March to August, else its second term. */
export function defaultRosterTerm(now: number): Term {
  const { year, month } = seoulMonth(now);
  return {
    year: Math.min(Math.max(year, COURSE_YEAR_MIN), COURSE_YEAR_MAX),
    semester: month >= 3 && month <= 8 ? 1 : 2,
  };
}

/** Default of a new course: this year's Spring from March to August, otherwise its Fall. */
export function defaultCourseTerm(now: number): { year: number; semester: Semester } {
  const { year, month } = seoulMonth(now);
  return { year, semester: month >= 3 && month <= 8 ? 1 : 3 };
}

/** Default of the subject list: this year's spring from February to July, else its fall (also in January). */
export function defaultSubjectTerm(now: number): { year: number; semester: SubjectSemester } {
  const { year, month } = seoulMonth(now);
  return { year, semester: month >= 2 && month <= 7 ? 'spring' : 'fall' };
}

function termOfMonth(year: number, month: number): Term {
  if (month >= FIRST_MONTH[2]) return { year, semester: 2 };
  return month >= FIRST_MONTH[1] ? { year, semester: 1 } : { year: year - 1, semester: 2 };
}

function seoulMonth(now: number): { year: number; month: number } {
  const seoul = new Date(now + SEOUL_OFFSET_MS);
  return { year: seoul.getUTCFullYear(), month: seoul.getUTCMonth() + 1 };
}
