import type { BookedEntry } from '#contract/ledger';
import { plainWords } from '../../../lib/plain-words.ts';
import { categoryOf } from '../totals.ts';

/** What earlier entries were called, with the category that the newest of that name has. */
export type KnownNames = { grams: ReadonlySet<string>; category: string }[];

const MOST = 3;
/** From this likeness on, 0 to 1, a name says something of another. */
const ALIKE = 0.4;

/** The categories in use, the most frequent first. */
export function categoriesOf(entries: readonly BookedEntry[]): string[] {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const category = categoryOf(entry);
    if (category !== '') counts.set(category, (counts.get(category) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([category]) => category);
}

/** @param entries newest first */
export function knownNames(entries: readonly BookedEntry[]): KnownNames {
  const known = new Map<string, string>();
  for (const entry of entries) {
    const [name, category] = [nameOf(entry.description), categoryOf(entry)];
    if (name !== '' && category !== '' && !known.has(name)) known.set(name, category);
  }
  return [...known].map(([name, category]) => ({ grams: gramsOf(name), category }));
}

/** The categories of entries with descriptions like this one, the likeliest first. */
export function suggestCategories(description: string, known: KnownNames): string[] {
  const grams = gramsOf(nameOf(description));
  if (grams.size === 0) return [];
  const best = new Map<string, number>();
  for (const { grams: others, category } of known) {
    const likeness = likenessOf(grams, others);
    if (likeness >= ALIKE && likeness > (best.get(category) ?? 0)) best.set(category, likeness);
  }
  return [...best]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MOST)
    .map(([category]) => category);
}

/** A description for comparison. Numbers are left out: `3월 회비` is like `4월 회비`. */
const nameOf = (description: string) => plainWords(description).replace(/[\d\p{P}\p{S}]/gu, '');

/** The pairs of neighbouring letters, and of a single letter itself. */
function gramsOf(name: string): Set<string> {
  const letters = Array.from(name);
  if (letters.length === 1) return new Set(letters);
  return new Set(letters.slice(1).map((letter, at) => `${letters[at]}${letter}`));
}

/** The Sørensen–Dice coefficient. */
function likenessOf(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let shared = 0;
  for (const gram of some) if (others.has(gram)) shared += 1;
  return (2 * shared) / (some.size + others.size);
}
