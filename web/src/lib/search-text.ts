import { containsInitials, hasInitials, initialsOf } from './hangul.ts';

/** Full-width letters, digits and signs as ASCII; nothing else changes, so that ² or ⑴ is not a digit and ㅎ stays ㅎ. */
export function halfWidth(text: string): string {
  return text.replace(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
}

/** A text for searching: composes decomposed text from Macs, and ignores case, spaces and the width of digits. */
export function searchText(text: string): string {
  return halfWidth(text.normalize('NFC')).toLowerCase().replace(/\s+/g, '');
}

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

/** Invisible characters: spaces, controls and formats such as zero-width ones. */
const UNSEEN = /[\s\p{Cc}\p{Cf}]/gu;

/** Whether a text has no visible characters. */
export const isBlank = (text: string) => text.replace(UNSEEN, '') === '';

/** A text for comparison, ignoring width, case and invisible characters. */
export function plainWords(text: string): string {
  // Twice: removing characters lets letters combine, and compatibility forms may contain spaces.
  return text.replace(UNSEEN, '').normalize('NFKC').replace(UNSEEN, '').toLowerCase();
}
