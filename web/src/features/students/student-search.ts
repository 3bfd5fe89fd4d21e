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

/**
 * Every student whom the input names by id or whole name, and the words that name nobody. A line is tried whole, then
 * what stands between its commas and tabs, then as many words together as make a name: 홍길동, Nguyen Van An.
 */
export function findMany(
  students: readonly Student[],
  input: string,
): { found: Student[]; unmatched: string[] } {
  const byKey = new Map<string, Student[]>();
  for (const student of students) {
    for (const key of new Set([plain(student.id), plain(student.name)])) {
      byKey.set(key, [...(byKey.get(key) ?? []), student]);
    }
  }
  const longest = Math.max(1, ...students.map(({ name }) => splitWords(name).length));
  const found = new Set<Student>();
  const unmatched = new Map<string, string>();
  const isFound = (text: string) => {
    const named = byKey.get(plain(text)) ?? [];
    for (const student of named) found.add(student);
    return named.length > 0;
  };
  const parts = input.split(/[\r\n]+/).flatMap((line) => (isFound(line) ? [] : line.split(/[\t,;]+/)));
  for (const part of parts.filter((each) => !isFound(each))) {
    const words = splitWords(part);
    for (let at = 0; at < words.length;) {
      let length = Math.min(longest, words.length - at);
      while (length > 0 && !isFound(words.slice(at, at + length).join(' '))) length -= 1;
      const word = words[at] ?? '';
      if (length === 0) unmatched.set(plain(word), word);
      at += Math.max(1, length);
    }
  }
  return { found: students.filter((student) => found.has(student)), unmatched: [...unmatched.values()] };
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
