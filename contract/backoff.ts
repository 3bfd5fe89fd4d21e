/** From the first pause to the longest. */
type Backoff = { firstMs: number; mostMs: number };

/**
 * The pause after a failed attempt: each pause is twice the one before, up to the longest.
 * @param failures failed attempts before the last one
 * @param jitter from 0 to 1: how much of half the pause is taken off, so that clients that failed together do not come
 *   back together
 */
export function backoffMs(failures: number, { firstMs, mostMs }: Backoff, jitter: number): number {
  return Math.min(mostMs, firstMs * 2 ** failures) * (1 - jitter / 2);
}
