import { MINUTE_MS } from './time.ts';

/** Widths of the intervals in plant_rollups in milliseconds: 5 min, 30 min, 3 h, 1 d, 8 d, 64 d, 512 d. */
export const ROLLUP_WIDTHS = [
  300_000, 1_800_000, 10_800_000, 86_400_000, 691_200_000, 5_529_600_000, 44_236_800_000,
] as const;
export const FINEST = ROLLUP_WIDTHS[0];

/**
 * How long after its end an interval is written at the earliest. What comes by then is in time: boards and bridges on
 * an ordinary network need seconds, a bridge that starts anew a minute or two.
 */
export const ROLLED_UP_AFTER_MS = 10 * MINUTE_MS;
