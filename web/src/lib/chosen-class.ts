import type { CourseKey } from '#contract/students';
import { runningTerm, termOrder, termText } from '#contract/terms';
import { privateKey, readStoredText, writeStoredText } from './stored-text.ts';

/*
 * The class (year, semester, course) that somebody works with. It is chosen once, stands in the address as
 * `class=2026-2-운영체제` (`class=all` for all students) and is remembered for the user.
 */

/** A class, or all students. */
export type ChosenClass = CourseKey | 'all';

/** As in the address. */
export function classText(chosen: ChosenClass): string {
  return chosen === 'all' ? 'all' : `${chosen.year}-${chosen.semester}-${chosen.subject}`;
}

export const courseName = (course: Omit<CourseKey, 'semester'> & { semester: number }) =>
  `${termText(course)} ${course.subject}`;

/** Undefined for anything but a class or `all`. */
export function readClass(text: unknown): ChosenClass | undefined {
  if (text === 'all') return 'all';
  const [, year, semester, subject] =
    /^(20\d\d)-([12])-(.+)$/s.exec(typeof text === 'string' ? text : '') ?? [];
  if (year === undefined || subject === undefined) return undefined;
  return { year: Number(year), semester: semester === '1' ? 1 : 2, subject };
}

const placeOf = (userId: number) => privateKey(userId, 'class');

/** Remembers a choice with the term in which it was made. */
export function rememberClass(userId: number, chosen: ChosenClass, now: number): void {
  writeStoredText(placeOf(userId), `${termOrder(runningTerm(now))} ${classText(chosen)}`);
}

/** What the user chose last, and in which term; undefined if nothing. */
export function rememberedClass(userId: number): { term: number; chosen: ChosenClass } | undefined {
  const [, term, text] = /^(\d{5}) (.+)$/s.exec(readStoredText(placeOf(userId)) ?? '') ?? [];
  const chosen = readClass(text);
  return chosen && { term: Number(term), chosen };
}

/**
 * The class to begin with when the address names none: what was chosen in this term; otherwise the only class of this
 * term, because a new term brings a new class; otherwise what was chosen last, if it is still there.
 */
export function firstClass(
  classes: readonly CourseKey[],
  remembered: ReturnType<typeof rememberedClass>,
  now: number,
): ChosenClass {
  const running = termOrder(runningTerm(now));
  const last = remembered && (remembered.chosen === 'all' ? 'all' : known(classes, remembered.chosen));
  if (last && remembered.term === running) return last;
  const [only, ...others] = classes.filter((each) => termOrder(each) === running);
  return only && others.length === 0 ? only : (last ?? 'all');
}

const known = (classes: readonly CourseKey[], wanted: CourseKey) =>
  classes.find((each) => classText(each) === classText(wanted));
