import { containsInitials, hasInitials, initialsOf } from './hangul.ts';
import { searchText } from './search-text.ts';

/** Something with a name, and its search keys, computed once for all keystrokes. */
export type Searched<Item> = { item: Item; text: string; name: string; initials: string };

/** @param others further texts in which a word may be */
export function searched<Item>(item: Item, name: string, others: readonly string[]): Searched<Item> {
  const key = searchText(name);
  return { item, text: [key, ...others.map(searchText)].join('\n'), name: key, initials: initialsOf(key) };
}

/** The items for which every word is in the name (also by 초성) or in another of their texts. */
export function withEveryWord<Item>(entries: readonly Searched<Item>[], input: string): Item[] {
  const words = splitWords(input).map(searchText);
  return entries.filter((entry) => words.every((word) => matches(entry, word))).map(({ item }) => item);
}

/** Words are separated by white space, commas and semicolons. */
export function splitWords(input: string): string[] {
  return input.split(/[\s,;]+/).filter((word) => word !== '');
}

function matches({ text, name, initials }: Searched<unknown>, word: string): boolean {
  return text.includes(word) || (hasInitials(word) && containsInitials(name, initials, word));
}
