import { nextTerm, termStart, type Term } from '#contract/terms';

/** When a term's roster has been kept for `years` after the end of the term, in milliseconds since 1970. */
export function keptUntil({ year, semester }: Term, years: number): number {
  return termStart(nextTerm({ year: year + years, semester }));
}
