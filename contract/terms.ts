import { SEOUL_AHEAD_MS } from './time.ts';
import { COURSE_YEAR_MAX, COURSE_YEAR_MIN } from './course-target.ts';
import type { Semester } from './courses.ts';
import type { SubjectSemester } from './subjects.ts';

/*
 * The university's calendar, in Seoul. The running term is one rule; each form's default is another, with the months
 * given by the specification.
 */

/** The first term runs from March to August, the second until February of the next year. */
export type Term = { year: number; semester: 1 | 2 };

export const SEASON_LABELS: Record<SubjectSemester, string> = {
  spring: '1학기',
  summer: '여름학기',
  fall: '2학기',
  winter: '겨울학기',
};

/** `2026년 1학기` */
export const termText = ({ year, semester }: { year: number; semester: number }) =>
  `${year}년 ${semester}학기`;

/** A term as a sortable number. */
export const termOrder = ({ year, semester }: { year: number; semester: number }) => year * 10 + semester;

export const nextTerm = ({ year, semester }: Term): Term =>
  semester === 1 ? { year, semester: 2 } : { year: year + 1, semester: 1 };

export const previousTerm = ({ year, semester }: Term): Term =>
  semester === 2 ? { year, semester: 1 } : { year: year - 1, semester: 2 };

export function termOfDay(day: string): Term {
  return termOfMonth(Number(day.slice(0, 4)), Number(day.slice(5, 7)));
}

export function runningTerm(now: number): Term {
  const { year, month } = seoulMonth(now);
  return termOfMonth(year, month);
}

/** Start of a term, in milliseconds since 1970; it ends when the next one starts. */
export function termStart({ year, semester }: Term): number {
  return Date.UTC(year, semester === 1 ? 2 : 8) - SEOUL_AHEAD_MS;
}

export const hasBegun = (term: Term, now: number) => termStart(term) <= now;

/** First and last day of a term, in any year of the calendar. */
export function termDays({ year, semester }: Term): { first: string; last: string } {
  const day = (aYear: number, rest: string) => `${String(aYear).padStart(4, '0')}-${rest}`;
  if (semester === 1) return { first: day(year, '03-01'), last: day(year, '08-31') };
  const next = year + 1;
  const isLeap = next % 4 === 0 && (next % 100 !== 0 || next % 400 === 0);
  return { first: day(year, '09-01'), last: day(next, isLeap ? '02-29' : '02-28') };
}

/**
 * In January and February forms default to a term that has not begun, so they offer the running term and the next.
 * Empty in other months.
 */
export function offeredTerms(now: number): Term[] {
  if (seoulMonth(now).month > 2) return [];
  const running = runningTerm(now);
  return [running, nextTerm(running)];
}

/** Default of the student import: the first term from March to August, otherwise the second, of this year. */
export function rosterTerm(now: number): Term {
  const { year, month } = seoulMonth(now);
  return {
    year: Math.min(Math.max(year, COURSE_YEAR_MIN), COURSE_YEAR_MAX),
    semester: month >= 3 && month <= 8 ? 1 : 2,
  };
}

/** Default of a new course: Spring from March to August, otherwise Fall, of this year. */
export function courseTerm(now: number): { year: number; semester: Semester } {
  const { year, month } = seoulMonth(now);
  return { year, semester: month >= 3 && month <= 8 ? 1 : 3 };
}

/** Default of the subject list: spring from February to July, otherwise fall, of this year. */
export function subjectTerm(now: number): { year: number; semester: SubjectSemester } {
  const { year, month } = seoulMonth(now);
  return { year, semester: month >= 2 && month <= 7 ? 'spring' : 'fall' };
}

function termOfMonth(year: number, month: number): Term {
  if (month >= 3 && month <= 8) return { year, semester: 1 };
  return { year: month <= 2 ? year - 1 : year, semester: 2 };
}

function seoulMonth(now: number): { year: number; month: number } {
  const seoul = new Date(now + SEOUL_AHEAD_MS);
  return { year: seoul.getUTCFullYear(), month: seoul.getUTCMonth() + 1 };
}
