import { DAY_MS, HOUR_MS, MINUTE_MS } from './time.ts';

/* The limits at which alerts begin. Where an alert ends is written beside its rule in worker/src/watch. */

export const HEARTBEAT_LATE_MS = 15 * MINUTE_MS;
/** A board's clock counts as right within this limit; ingest accepts instants this far in the future. */
export const CLOCK_SKEW_MS = 5 * MINUTE_MS;

/** Certificates are renewed 30 days before their end. A certificate this close to its end was not renewed. */
export const CERTIFICATE_EXPIRY_MS = 21 * DAY_MS;

/** The alert begins below this many free bytes on a bridge's disk, or below a tenth of a small disk. */
const DISK_FREE = 1_000_000_000;
export const minFreeDiskBytes = (size: number) => Math.min(DISK_FREE, size / 10);
export const DISK_RECOVERED_FACTOR = 1.5;

/** One or two dead letters come from manual tests. The alert ends after a window without dead letters. */
export const DEAD_LETTERS_MIN = 3;
export const DEAD_LETTERS_WINDOW_MS = DAY_MS;

/** The share of a plan's limit (size of the database, rows per day) at which the alert begins, and ends. */
export const PLAN_SHARE = 0.8;
export const PLAN_SHARE_RECOVERED = 0.75;
/** The alert begins when the forecast says that the database is full within this many days. */
export const DATABASE_FULL_IN_DAYS = 30;

/** Rollups are written every five minutes; the next run makes up for a failed run. */
export const ROLLUPS_LATE_MS = HOUR_MS;

/**
 * Limits of D1 by plan (developers.cloudflare.com/d1/platform/limits and /pricing): bytes of a database, and
 * rows written per day in UTC. Null means no limit: beyond what the paid plan includes, rows cost money.
 */
export const cloudflarePlans = {
  free: { size: 500_000_000, rows: 100_000 },
  paid: { size: 10_000_000_000, rows: null },
  none: { size: null, rows: null },
} as const;
export type CloudflarePlan = keyof typeof cloudflarePlans;

/** Approximate: a reading writes its row, its plant's state and a part of the rollups (docs/scale.md). */
export const ROWS_PER_READING = 2.5;
