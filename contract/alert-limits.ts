import { DAY_MS, HOUR_MS, MINUTE_MS } from './time.ts';

/* When an alert begins. What is over stands beside its rule in worker/src/watch. */

export const HEARTBEAT_LATE_MS = 15 * MINUTE_MS;
/** A board's clock that is off by less is right: ingest believes as much ahead. */
export const CLOCK_SKEW_MS = 5 * MINUTE_MS;

/** Nine days after a certificate should have been renewed. */
export const CERTIFICATE_EXPIRY_MS = 21 * DAY_MS;

/** Bytes free on a bridge's disk; on a small one a tenth of it. It is well again with half as much more. */
const DISK_FREE = 1_000_000_000;
export const diskLimit = (size: number) => Math.min(DISK_FREE, size / 10);
export const DISK_RECOVERED = 1.5;

/** Fewer dead letters are somebody's who tried something by hand. They are over when none has come for so long. */
export const DEAD_LETTERS_MIN = 3;
export const DEAD_LETTERS_WINDOW_MS = DAY_MS;

/** The share of what the plan lets the database hold, or write in a day, and below which it is over. */
export const PLAN_SHARE = 0.8;
export const PLAN_SHARE_RECOVERED = 0.75;
/** The database is foreseen to be full within so many days. */
export const FULL_IN_DAYS = 30;

/** Rollups are written every five minutes; one run that fails is made up for by the next. */
export const ROLLUPS_LATE_MS = HOUR_MS;

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
