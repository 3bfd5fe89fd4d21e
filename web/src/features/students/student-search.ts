import type { Student } from '#contract/students';
import { containsInitials, hasInitials, initialsOf } from '../../lib/hangul.ts';

/** A student with what a search looks at, made once for every keystroke to come. */
export type SearchEntry = { student: Student; text: string; name: string; initials: string };

export function searchEntries(students: readonly Student[]): SearchEntry[] {
  return students.map((student) => {
    const name = plain(student.name);
    const parts = [student.id, name, ...student.subjects];
    return { student, text: parts.map(plain).join('\n'), name, initials: initialsOf(name) };
  });
}

/** The students of whom every word matches the id, the name or a subject; on names 초성 count. */
export function searchStudents(entries: readonly SearchEntry[], input: string): Student[] {
  const words = splitWords(input).map(plain);
  return entries.filter((entry) => words.every((word) => matches(entry, word))).map(({ student }) => student);
}

/** Every student whom a word of the input names by id or whole name, and the words that name nobody. */
export function findMany(
  students: readonly Student[],
  input: string,
): { found: Student[]; unmatched: string[] } {
  const typed = new Map(splitWords(input).map((word) => [plain(word), word]));
  const unmatched = new Map(typed);
  const found = students.filter((student) => {
    const hits = [plain(student.id), plain(student.name)].filter((key) => typed.has(key));
    for (const hit of hits) unmatched.delete(hit);
    return hits.length > 0;
  });
  return { found, unmatched: [...unmatched.values()] };
}

/** Words are separated by white space, commas and semicolons. */
function splitWords(input: string): string[] {
  return input.split(/[\s,;]+/).filter((word) => word !== '');
}

function matches({ text, name, initials }: SearchEntry, word: string): boolean {
  return text.includes(word) || (hasInitials(word) && containsInitials(name, initials, word));
}

/** What is typed on a Mac may be decomposed; names may be written with a space. */
function plain(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/g, '');
}
