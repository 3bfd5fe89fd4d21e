import { MINUTE_MS } from './time.ts';
import * as z from 'zod';
import type { Plan } from './alert-limits.ts';
import type { TaskName } from './alert-list.ts';
import type { AlertKey } from './alerts.ts';
import type { BoardOverQuota, SpoolState } from './readings.ts';

/** Response of GET /api/health: 200 when every part is up, otherwise 503. */
export const healthSchema = z.object({
  ok: z.boolean(),
  parts: z.object({
    /** API worker and DB. */
    api: z.boolean(),
    ingest: z.boolean(),
    broker: z.boolean(),
    bridge: z.boolean(),
  }),
});
export type Health = z.infer<typeof healthSchema>;

/** Response of GET /api/health/details, for admins. Instants are ISO 8601. Null means that the lookup failed. */
export type HealthDetails = {
  /** When the lookup was made, by the server's clock. */
  at: string;
  /** The server's own. */
  version: string;
  /** `plants` is PLANTS_DB; without it nobody knows of bridge and broker. */
  parts: Health['parts'] & { plants: boolean };
  bridges: BridgeDetails[] | null;
  plants: PlantDetails[] | null;
  /** Bytes of DB, of PLANTS_DB, and of the pictures and receipts that DB has records of; null for one that does not answer. */
  storage: { database: number; plants: number | null; files: number; files_count: number } | null;
  usage: UsageDetails | null;
  backup: {
    last: { at: string; rows: number; files: number; bytes: number } | null;
    /** The successful backup before the last one, for comparison. */
    before: { rows: number; files: number } | null;
    /** The first failure since then. */
    failed_at: string | null;
    /** Days without a backup after which an alert is raised. */
    alert_days: number;
    /** The last drill: what came back of an archive in a throw-away store, and when that was made; null if it failed. */
    drill: { at: string; restored: { made_at: string; rows: number; files: number } | null } | null;
  } | null;
  /** The last run of each scheduled task that has ever run; `ok` is null until a run has finished. */
  tasks: TaskDetails[] | null;
  alerts: Trouble[] | null;
  /** Whether alerts are sent anywhere, and whether any service expects the watch's sign of life. */
  webhook: boolean;
  heartbeat: boolean;
};

/** What is used of the plan, and what is foreseen of it. */
export type UsageDetails = {
  plan: Plan;
  /** Days until DB and PLANTS_DB are full at the pace of the last ones; null when it does not grow, or too little is known. */
  full_in_days: number | null;
  plants_full_in_days: number | null;
  /**
   * About how many rows were written since 00:00 UTC, null while PLANTS_DB does not answer, and when the day's are used up
   * at that pace; null when they last.
   */
  rows_today: number | null;
  rows_end_at: string | null;
};

/** The latest heartbeat of a bridge that has a key. */
export type BridgeDetails = {
  bridge: string;
  alive: boolean;
  /** Null if the bridge has never reported. If it has gone silent, the values are its last known ones. */
  reported_at: string | null;
  /** Null for a bridge that has not reported its version. */
  version: string | null;
  broker_connected: boolean | null;
  /** Null while the bridge does not know it; `depth` is null while the spool cannot be read. */
  spool: { state: SpoolState; depth: number | null; oldest_at: string | null; dead: number | null } | null;
  /** When its broker's certificate ends, and how many bytes are free on its disk; null while it does not know. */
  certificate_until: string | null;
  disk_free: number | null;
  /** Boards of which the bridge does not tell whether they are online, because there are too many. */
  boards_passed_over: number | null;
  /** Boards beyond their quota, as last reported; null while the bridge does not know it or never told of it. */
  over_quota: BoardOverQuota[] | null;
};

export type PlantDetails = {
  plant: string;
  last_received_at: string | null;
  stale_after_minutes: number;
  board: 'online' | 'offline' | null;
};

export type TaskDetails = {
  task: TaskName;
  started_at: string;
  finished_at: string | null;
  ok: boolean | null;
  /** Why it failed, as in the log; null when it did not, or is not known. */
  failure: string | null;
};

/** `detail` says how it stands, where there is more to say. */
export type Trouble = AlertKey & { since: string; detail: string | null };

/** A watch run older than this says nothing about the present. */
export const CHECK_VALID_MS = 15 * MINUTE_MS;

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** `12.3 MB`, in powers of a thousand. */
export function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}
