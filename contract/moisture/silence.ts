import { median, quantile } from './series.ts';

const FEWEST = 5;
/** A gap of more than so many usual ones was an outage, unless there are three of them. */
const OUTAGE = 4;
/** A board keeps a limit that is so much longer than its gaps. */
const ROOM = 1.25;
/** So many of its gaps are silence for a board that keeps no limit: two lost readings are none. */
const SILENT = 3.5;

/**
 * After how many milliseconds without a reading a board is silent: the limit that was set, or three and a half of its own usual
 * gaps if it sends too seldom to keep that.
 * @param receipts instants at which a bridge received its newest readings, some fifty, oldest first
 */
export function silentAfter(receipts: readonly number[], setMs: number): number {
  const gaps = receipts
    .slice(1)
    .map((time, at) => time - (receipts[at] ?? time))
    .filter((gap) => gap > 0);
  if (gaps.length < FEWEST) return setMs;
  const longest = OUTAGE * median(gaps);
  const outages = gaps.filter((gap) => gap > longest).length;
  const usual = quantile(outages < 3 ? gaps.filter((gap) => gap <= longest) : gaps, 0.95);
  return usual * ROOM <= setMs ? setMs : SILENT * usual;
}

/**
 * Since when a board is silent: the receipt of its last reading; null if it is not. A silence ends when two readings have
 * come within the limit. Without this end, the next outage would send no alert.
 * @param before the same as it was judged last
 */
export function judgeSilence(
  receipts: readonly number[],
  setMs: number,
  before: number | null,
  now: number,
): number | null {
  const last = receipts.at(-1);
  if (last === undefined) return null;
  const limit = silentAfter(receipts, setMs);
  if (now - last > limit) return before ?? last;
  const gap = last - (receipts.at(-2) ?? Number.NEGATIVE_INFINITY);
  return before !== null && gap > limit ? before : null;
}
