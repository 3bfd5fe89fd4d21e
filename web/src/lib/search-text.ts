import { containsInitials, hasInitials, initialConsonants } from './hangul.ts';

/** Full-width letters, digits and signs as ASCII. Nothing else changes: ² is no digit, and ㅎ stays ㅎ. */
export function toHalfWidth(text: string): string {
  return text.replace(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
}

/** A text for searching: composed (Macs decompose text), half-width, in lower case and without spaces. */
export function normalizeForSearch(text: string): string {
  return toHalfWidth(text.normalize('NFC')).toLowerCase().replace(/\s+/g, '');
}

/** An item with its search texts, computed once instead of at every keystroke. */
export type SearchItem<Item> = { item: Item; text: string; name: string; initials: string };

/** @param others further texts in which a word may occur */
export function toSearchItem<Item>(item: Item, name: string, others: readonly string[]): SearchItem<Item> {
  const key = normalizeForSearch(name);
  return {
    item,
    text: [key, ...others.map(normalizeForSearch)].join('\n'),
    name: key,
    initials: initialConsonants(key),
  };
}

/** The items for which every word occurs in the name (also as initial consonants, 초성) or in another text. */
export function filterByEveryWord<Item>(entries: readonly SearchItem<Item>[], input: string): Item[] {
  const words = splitWords(input).map(normalizeForSearch);
  return entries.filter((entry) => words.every((word) => matches(entry, word))).map(({ item }) => item);
}

/** Words are separated by white space, commas and semicolons. */
export function splitWords(input: string): string[] {
  return input.split(/[\s,;]+/).filter((word) => word !== '');
}

function matches({ text, name, initials }: SearchItem<unknown>, word: string): boolean {
  return text.includes(word) || (hasInitials(word) && containsInitials(name, initials, word));
}

/** Invisible characters: spaces, control characters and formatting characters such as zero-width ones. */
const UNSEEN = /[\s\p{Cc}\p{Cf}]/gu;

/** Whether a text has no visible characters. */
export const isBlank = (text: string) => text.replace(UNSEEN, '') === '';

/** A text for comparing: in normal width and lower case, and without invisible characters. */
export function plainWords(text: string): string {
  // Removed twice: removing characters lets letters combine, and compatibility forms may contain spaces.
  return text.replace(UNSEEN, '').normalize('NFKC').replace(UNSEEN, '').toLowerCase();
}
