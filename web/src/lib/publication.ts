import type { Publication } from '#contract/publications';

/** Newest first, under their years. */
export function byYear(
  publications: readonly Publication[],
): { year: number; publications: Publication[] }[] {
  return [...Map.groupBy(publications, ({ year }) => year)]
    .map(([year, publications]) => ({ year, publications }))
    .sort((one, other) => other.year - one.year);
}
