import type { BookedEntry } from '#contract/ledger';
import { plainWords } from '../../../lib/search-text.ts';
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
export const suggestCategories = (description: string, known: KnownNames) =>
  suggestForName(nameOf(description), known);

/** The same for many descriptions, of which those of one name are looked up once. */
export function categorySuggester(known: KnownNames): (description: string) => string[] {
  const found = new Map<string, string[]>();
  return (description) => {
    const name = nameOf(description);
    const suggested = found.get(name) ?? suggestForName(name, known);
    found.set(name, suggested);
    return suggested;
  };
}

/** The categories that suit most of these descriptions. */
export function suggestForAll(descriptions: readonly string[], known: KnownNames): string[] {
  const suggest = categorySuggester(known);
  const counts = new Map<string, number>();
  for (const description of descriptions) {
    const [likeliest] = suggest(description);
    if (likeliest !== undefined) counts.set(likeliest, (counts.get(likeliest) ?? 0) + 1);
  }
  return best(counts);
}

function suggestForName(name: string, known: KnownNames): string[] {
  const grams = gramsOf(name);
  if (grams.size === 0) return [];
  const likest = new Map<string, number>();
  for (const { grams: others, category } of known) {
    const likeness = likenessOf(grams, others);
    if (likeness >= ALIKE && likeness > (likest.get(category) ?? 0)) likest.set(category, likeness);
  }
  return best(likest);
}

const best = (categories: ReadonlyMap<string, number>) =>
  [...categories]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MOST)
    .map(([category]) => category);

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
