import type { EntryWithBalance } from '#contract/ledger';
import { plainWords } from '../../../lib/search-text.ts';
import { categoryOf } from '../totals.ts';

/** Each name of earlier entries, split into letter pairs, with the category of the name's newest entry. */
export type CategorizedNames = { grams: ReadonlySet<string>; category: string }[];

const MOST = 3;
/** Names at least this similar (0 to 1) suggest each other's category. */
const ALIKE = 0.4;

/** The categories in use, most frequent first. */
export function categoriesInUse(entries: readonly EntryWithBalance[]): string[] {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const category = categoryOf(entry);
    if (category !== '') counts.set(category, (counts.get(category) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([category]) => category);
}

/** @param entries newest first */
export function categorizedNames(entries: readonly EntryWithBalance[]): CategorizedNames {
  const known = new Map<string, string>();
  for (const entry of entries) {
    const [name, category] = [nameOf(entry.description), categoryOf(entry)];
    if (name !== '' && category !== '' && !known.has(name)) known.set(name, category);
  }
  return [...known].map(([name, category]) => ({ grams: gramsOf(name), category }));
}

/** Suggests the categories of entries with similar descriptions, the most similar description first. */
export const suggestCategories = (description: string, known: CategorizedNames) =>
  suggestForName(nameOf(description), known);

/** Suggests categories for many descriptions; equal names are looked up only once. */
export function categorySuggester(known: CategorizedNames): (description: string) => string[] {
  const found = new Map<string, string[]>();
  return (description) => {
    const name = nameOf(description);
    const suggested = found.get(name) ?? suggestForName(name, known);
    found.set(name, suggested);
    return suggested;
  };
}

/** The categories that fit most of these descriptions. */
export function suggestCommonCategories(descriptions: readonly string[], known: CategorizedNames): string[] {
  const suggest = categorySuggester(known);
  const counts = new Map<string, number>();
  for (const description of descriptions) {
    const [likeliest] = suggest(description);
    if (likeliest !== undefined) counts.set(likeliest, (counts.get(likeliest) ?? 0) + 1);
  }
  return best(counts);
}

function suggestForName(name: string, known: CategorizedNames): string[] {
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

/** Normalises a description for comparison. Removes numbers, so that `3월 회비` equals `4월 회비`. */
const nameOf = (description: string) => plainWords(description).replace(/[\d\p{P}\p{S}]/gu, '');

/** All pairs of neighbouring letters, or the letter itself if there is only one. */
function gramsOf(name: string): Set<string> {
  const letters = Array.from(name);
  if (letters.length === 1) return new Set(letters);
  return new Set(letters.slice(1).map((letter, at) => `${letters[at]}${letter}`));
}

/** The similarity of two names: the Sørensen–Dice coefficient. */
function likenessOf(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let shared = 0;
  for (const gram of some) if (others.has(gram)) shared += 1;
  return (2 * shared) / (some.size + others.size);
}
