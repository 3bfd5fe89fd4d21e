import { CLOCK_SKEW_MS } from '#contract/alert-limits';

/* What the receipts of a plant's newest readings say of its board. All in milliseconds, instants since 1970. */

/** A reading as the bridge received it, and what the board's clock said; null where that was possible. */
export type Receipt = { received_at: number; measured_at: number; refused_time: number | null };

/** What came within so long is one delivery: a board may keep readings and send them together. */
const TOGETHER_MS = 10_000;
/** So many of the newest deliveries say that a clock is impossible, or behind: also one that jumps between right and late. */
const DELIVERIES = 3;
const LATELY = 6;

/** The newest reading, by the board's clock, of each delivery, in the order of their receipts. */
export function deliveriesOf(receipts: readonly Receipt[]): Receipt[] {
  const timeOf = ({ refused_time, measured_at }: Receipt) => refused_time ?? measured_at;
  const inOrder = receipts.toSorted((a, b) => a.received_at - b.received_at || timeOf(a) - timeOf(b));
  const together = Map.groupBy(inOrder, ({ received_at: at }) => Math.floor(at / TOGETHER_MS));
  return [...together.values()].map((own) =>
    own.reduce((newest, each) => (timeOf(each) >= timeOf(newest) ? each : newest)),
  );
}

/**
 * How far the board's clock is ahead, negative when it is behind; null where nothing says that it is wrong. Times that
 * cannot be say so, and times that go as quickly as the receipts and always as far behind them: what a board or a bridge had
 * kept comes more quickly than it was measured, and its newest at last in time.
 */
export function clockSkew(deliveries: readonly Receipt[]): number | null {
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
