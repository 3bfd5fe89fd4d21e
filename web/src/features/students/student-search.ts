import type { Student } from '#contract/students';
import { containsInitials, hasInitials } from '../../lib/hangul.ts';
import { normalizeForSearch, toSearchItem, splitWords, type SearchItem } from '../../lib/search-text.ts';

export const searchEntries = (students: readonly Student[]): SearchItem<Student>[] =>
  students.map((student) => toSearchItem(student, student.name, [student.id, ...student.subjects]));

/**
 * Finds students by id or full name (홍길동, ㅎㄱㄷ, Nguyen Van An), and returns words that match nobody. Tries
 * each line as a whole, then its parts between commas and tabs, then the longest sequences of words.
 */
export function findManyStudents(
  students: readonly Student[],
  input: string,
): { found: Student[]; unmatched: string[] } {
  const byKey = new Map<string, Student[]>();
  for (const student of students) {
    for (const key of new Set([normalizeForSearch(student.id), normalizeForSearch(student.name)])) {
      byKey.set(key, [...(byKey.get(key) ?? []), student]);
    }
  }
  const longest = Math.max(1, ...students.map(({ name }) => splitWords(name).length));
  const found = new Set<Student>();
  const unmatched = new Map<string, string>();
  const entries = searchEntries(students);
  const isFound = (text: string) => {
    const word = normalizeForSearch(text);
    const named = byKey.get(word) ?? whoHas(entries, word);
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
      if (length === 0) unmatched.set(normalizeForSearch(word), word);
      at += Math.max(1, length);
    }
  }
  return { found: students.filter((student) => found.has(student)), unmatched: [...unmatched.values()] };
}

/** Students with exactly this name; an initial consonant (초성) matches every syllable that begins with it. */
function whoHas(entries: readonly SearchItem<Student>[], word: string): Student[] {
  if (!hasInitials(word)) return [];
  return entries
    .filter(({ name, initials }) => name.length === word.length && containsInitials(name, initials, word))
    .map(({ item }) => item);
}
