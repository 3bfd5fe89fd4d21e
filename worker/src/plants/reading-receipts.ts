import { CLOCK_SKEW_MS } from '#contract/alert-limits';

/* What receipt times show about a plant's board. Durations in milliseconds, instants since 1970. */

/** A received reading; `refused_time`: the board's time if that was impossible, otherwise null. */
export type ReadingReceipt = { received_at: number; measured_at: number; refused_time: number | null };

/** Readings received within this time are one delivery: a board may store readings and send them together. */
const TOGETHER_MS = 10_000;
/** At least this many of the last `LATELY` deliveries must show a wrong clock: a clock may jump. */
const DELIVERIES = 3;
const LATELY = 6;

/** Finds the reading of each delivery that is newest by the board's clock, in the order of receipt. */
export function newestReceiptPerDelivery(receipts: readonly ReadingReceipt[]): ReadingReceipt[] {
  const timeOf = ({ refused_time, measured_at }: ReadingReceipt) => refused_time ?? measured_at;
  const inOrder = receipts.toSorted((a, b) => a.received_at - b.received_at || timeOf(a) - timeOf(b));
  const together = Map.groupBy(inOrder, ({ received_at: at }) => Math.floor(at / TOGETHER_MS));
  return [...together.values()].map((own) =>
    own.reduce((newest, each) => (timeOf(each) >= timeOf(newest) ? each : newest)),
  );
}

/**
 * How far the board's clock is ahead, negative if behind; null if nothing shows an error. Impossible times
 * show an error, and times that stay behind the receipts by the same span. Readings that a board stored and
 * sends late show none: they arrive faster than they were measured, and the newest is up to date.
 */
export function clockSkew(deliveries: readonly ReadingReceipt[]): number | null {
  const lately = deliveries.slice(-LATELY).map(({ received_at: at, measured_at, refused_time: refused }) => ({
    at,
    off: (refused ?? measured_at) - at,
    isImpossible: refused !== null,
  }));
  const impossible = lately.filter(({ isImpossible }) => isImpossible);
  if (impossible.length >= DELIVERIES) return impossible.at(-1)?.off ?? null;
  const late = lately.filter(({ off }) => off < -CLOCK_SKEW_MS);
  const newest = late.at(-1);
  if (!newest) return null;
  const alike = late.filter(
    ({ at, off }) => Math.abs(off - newest.off) <= TOGETHER_MS + (newest.at - at) / 2,
  );
  return alike.length >= DELIVERIES ? newest.off : null;
}
