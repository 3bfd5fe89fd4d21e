/** From the first pause to the longest. */
export type Backoff = { firstMs: number; mostMs: number };

/**
 * How long whoever failed waits before the next attempt: twice as long each time.
 * @param failures failed attempts before the last one
 * @param jitter from 0 to 1: how much of half the time is taken off, so that those who failed together do not come back
 *   together
 */
export function backoffMs(failures: number, { firstMs, mostMs }: Backoff, jitter: number): number {
  return Math.min(mostMs, firstMs * 2 ** failures) * (1 - jitter / 2);
}
