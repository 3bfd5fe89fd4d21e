import type { Publication } from '#contract/publications';
import { groupBy } from './collections.ts';

/** Newest first, under their years. */
export function byYear(
  publications: readonly Publication[],
): { year: number; publications: Publication[] }[] {
  return [...groupBy(publications, ({ year }) => year)]
    .map(([year, publications]) => ({ year, publications }))
    .sort((one, other) => other.year - one.year);
}
