import { median, quantile } from './series.ts';

const FEWEST = 5;
/** A gap longer than this many usual gaps counts as an outage, unless at least three gaps are this long. */
const OUTAGE = 4;
/** A board can keep a limit that is at least this many times its usual gap. */
const ROOM = 1.25;
/** A board that cannot keep the limit is silent after this many usual gaps: two readings may be lost. */
const SILENT = 3.5;

/**
 * After how many milliseconds without a reading a board counts as silent: after the configured limit, or
 * after three and a half of its usual gaps if it sends too seldom for the limit.
 * @param receipts instants at which a bridge received the board's newest readings, some fifty, oldest first
 */
export function silenceLimitMs(receipts: readonly number[], setMs: number): number {
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
 * Since when a board is silent: the receipt of its last reading; null if it is not silent. A silence ends
 * when two readings have come within the limit. Without this end, the next outage would send no alert.
 * @param before the result of the previous judgement
 */
export function silenceStart(
  receipts: readonly number[],
  setMs: number,
  before: number | null,
  now: number,
): number | null {
  const last = receipts.at(-1);
  if (last === undefined) return null;
  const limit = silenceLimitMs(receipts, setMs);
  if (now - last > limit) return before ?? last;
  const gap = last - (receipts.at(-2) ?? Number.NEGATIVE_INFINITY);
  return before !== null && gap > limit ? before : null;
}
