import type { ClassKey } from '#contract/students';
import { currentTerm, termSortKey, termText } from '#contract/terms';
import { privateStorageKey, readStoredText, writeStoredText } from './stored-text.ts';

/*
 * The class (year, semester, course) that the user works with. It is chosen once, is in the address as
 * `class=2026-2-운영체제` (`class=all` for all students), and is stored for the user.
 */

/** A class, or all students. */
export type ChosenClass = ClassKey | 'all';

/** Writes the choice as the value of `class` in the address. */
export function classText(chosen: ChosenClass): string {
  return chosen === 'all' ? 'all' : `${chosen.year}-${chosen.semester}-${chosen.subject}`;
}

export const courseName = (course: Omit<ClassKey, 'semester'> & { semester: number }) =>
  `${termText(course)} ${course.subject}`;

/** Parses the value in the address; undefined if it is neither a class nor `all`. */
export function parseChosenClass(text: unknown): ChosenClass | undefined {
  if (text === 'all') return 'all';
  const [, year, semester, subject] =
    /^(20\d\d)-([12])-(.+)$/s.exec(typeof text === 'string' ? text : '') ?? [];
  if (year === undefined || subject === undefined) return undefined;
  return { year: Number(year), semester: semester === '1' ? 1 : 2, subject };
}

const placeOf = (userId: number) => privateStorageKey(userId, 'class');

/** Stores a choice with the term in which it was made. */
export function rememberClass(userId: number, chosen: ChosenClass, now: number): void {
  writeStoredText(placeOf(userId), `${termSortKey(currentTerm(now))} ${classText(chosen)}`);
}

/** The user's last choice, and the term in which it was made; undefined without an earlier choice. */
export function rememberedClass(userId: number): { term: number; chosen: ChosenClass } | undefined {
  const [, term, text] = /^(\d{5}) (.+)$/s.exec(readStoredText(placeOf(userId)) ?? '') ?? [];
  const chosen = parseChosenClass(text);
  return chosen && { term: Number(term), chosen };
}

/**
 * The class to show if the address has none: the choice of this term; otherwise the only class of this term,
 * because a new term brings a new class; otherwise the last choice, if it still exists.
 */
export function initialClass(
  classes: readonly ClassKey[],
  remembered: ReturnType<typeof rememberedClass>,
  now: number,
): ChosenClass {
  const running = termSortKey(currentTerm(now));
  const last = remembered && (remembered.chosen === 'all' ? 'all' : known(classes, remembered.chosen));
  if (last && remembered.term === running) return last;
  const [only, ...others] = classes.filter((each) => termSortKey(each) === running);
  return only && others.length === 0 ? only : (last ?? 'all');
}

const known = (classes: readonly ClassKey[], wanted: ClassKey) =>
  classes.find((each) => classText(each) === classText(wanted));
