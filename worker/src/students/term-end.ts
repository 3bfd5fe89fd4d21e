import { nextTerm, termStart, type Term } from '#contract/terms';

/** When the roster of a term has been kept for so many years after the term's end, in milliseconds since 1970. */
export function keptUntil({ year, semester }: Term, years: number): number {
  return termStart(nextTerm({ year: year + years, semester }));
}
