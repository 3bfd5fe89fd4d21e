/** Seoul knows no summer time. */
const SEOUL_AHEAD_MS = 9 * 3_600_000;

/**
 * When the roster of a term has been kept for so many years after the term's end, in milliseconds since 1970. The first
 * semester ends with August, the second with February of the next year.
 */
export function keptUntil({ year, semester }: { year: number; semester: number }, years: number): number {
  const end = semester === 1 ? Date.UTC(year + years, 8) : Date.UTC(year + years + 1, 2);
  return end - SEOUL_AHEAD_MS;
}
