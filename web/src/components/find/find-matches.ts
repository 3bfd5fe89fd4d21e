import { containsInitials, hasInitials } from '../../lib/hangul.ts';
import { searchText } from '../../lib/search-text.ts';
import { KINDS, type Entry, type Kind } from './entries.ts';

/** How many of a kind are shown. */
export const SHOWN_MAX = 6;

export type Found = { kind: Kind; shown: Entry[]; more: number };

/**
 * The entries in which every word is found, by kind: what is called so or has that number first, then names that begin
 * with it, names that contain it, and the rest. Without a word the screens alone.
 */
export function findMatches(entries: readonly Entry[], input: string): Found[] {
  const words = input.split(/\s+/).map(searchText).filter(Boolean);
  const whole = words.join('');
  const isFound = (entry: Entry) =>
    words.length === 0 ? entry.kind === 'screen' : words.every((word) => isIn(entry, word));
  const byKind = Map.groupBy(entries.filter(isFound), ({ kind }) => kind);
  return KINDS.flatMap((kind) => {
    const found = byKind.get(kind) ?? [];
    if (found.length === 0) return [];
    const ranked = [0, 1, 2, 3].flatMap((rank) => found.filter((entry) => rankOf(entry, whole) === rank));
    const shown = kind === 'screen' ? ranked : ranked.slice(0, SHOWN_MAX);
    return [{ kind, shown, more: ranked.length - shown.length }];
  });
}

function isIn({ name, initials, lines }: Entry, word: string): boolean {
  if (lines.some((line) => line.includes(word))) return true;
  return hasInitials(word) && containsInitials(name, initials, word);
}

function rankOf({ name, initials, lines }: Entry, whole: string): 0 | 1 | 2 | 3 {
  if (lines.includes(whole)) return 0;
  if (name.startsWith(whole) || initials.startsWith(whole)) return 1;
  return name.includes(whole) ? 2 : 3;
}
