/** The shortest pause and the longest pause, in milliseconds. */
type Backoff = { firstMs: number; mostMs: number };

/**
 * The pause in milliseconds after a failed attempt: twice the pause before, up to the longest.
 * @param failures failed attempts before the last attempt
 * @param jitter from 0 to 1: the share of half the pause that is subtracted. Otherwise clients that failed
 * together would retry at the same moment.
 */
export function backoffMs(failures: number, { firstMs, mostMs }: Backoff, jitter: number): number {
  return Math.min(mostMs, firstMs * 2 ** failures) * (1 - jitter / 2);
}
