/**
 * What D1 lets a plan hold and write (developers.cloudflare.com/d1/platform/limits and /pricing): bytes of a database, and
 * rows written in a day of UTC. Null is no end: beyond what the paid plan includes, rows cost money.
 */
export const plans = {
  free: { size: 500_000_000, rows: 100_000 },
  paid: { size: 10_000_000_000, rows: null },
  none: { size: null, rows: null },
} as const;
export type Plan = keyof typeof plans;

/** About: itself, its plant's state, and its share of the rollups (docs/scale.md). */
export const ROWS_PER_READING = 2.5;
