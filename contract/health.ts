import { MINUTE_MS } from './time.ts';
import * as z from 'zod';
import type { CloudflarePlan } from './alert-limits.ts';
import type { TaskName } from './alert-list.ts';
import type { AlertKey } from './alerts.ts';
import type { BoardOverQuota, SpoolState } from './readings.ts';

/** Response of GET /api/health: 200 when every part is up, otherwise 503. */
export const healthSchema = z.object({
  ok: z.boolean(),
  parts: z.object({
    /** The API worker and DB. */
    api: z.boolean(),
    ingest: z.boolean(),
    broker: z.boolean(),
    bridge: z.boolean(),
  }),
});
export type Health = z.infer<typeof healthSchema>;

/** Response of GET /api/health/details, for admins. Instants are ISO 8601. Null: the query failed. */
export type HealthDetails = {
  /** When the server collected the details, by the server's clock. */
  at: string;
  version: string;
  /** `plants` is PLANTS_DB; without this database the state of bridge and broker is unknown. */
  parts: Health['parts'] & { plants: boolean };
  bridges: BridgeDetails[] | null;
  plants: PlantDetails[] | null;
  /** Bytes of DB, PLANTS_DB, and the files that DB has records of; null for a database without answer. */
  storage: { database: number; plants: number | null; files: number; files_count: number } | null;
  usage: PlanUsageDetails | null;
  backup: {
    last: { at: string; rows: number; files: number; bytes: number } | null;
    /** The successful backup before the last one, for comparison. */
    before: { rows: number; files: number } | null;
    /** When a backup first failed after the last successful one. */
    failed_at: string | null;
    /** Days without a backup after which an alert is raised. */
    alert_days: number;
    /** The last restore drill. `restored`: what was restored, and its archive's time; null on failure. */
    drill: { at: string; restored: { made_at: string; rows: number; files: number } | null } | null;
  } | null;
  /** The last run of each scheduled task that has ever run; `ok` is null until a run has finished. */
  tasks: TaskDetails[] | null;
  alerts: ActiveAlert[] | null;
  /** Whether an address for alerts is set, and whether a service expects the watch's pings. */
  webhook: boolean;
  heartbeat: boolean;
};

/** How much of the plan is used, and the forecast. */
export type PlanUsageDetails = {
  plan: CloudflarePlan;
  /** Days until DB and PLANTS_DB are full at the recent growth; null without growth or enough data. */
  full_in_days: number | null;
  plants_full_in_days: number | null;
  /**
   * Approximate rows written since 00:00 UTC, null while PLANTS_DB does not answer; and when, at this rate,
   * the day's limit will be reached, null if it will not.
   */
  rows_today: number | null;
  rows_end_at: string | null;
};

/** The latest heartbeat of a bridge that has a key. */
export type BridgeDetails = {
  bridge: string;
  alive: boolean;
  /** Null if the bridge has never reported. For a silent bridge, these are the last known values. */
  reported_at: string | null;
  /** Null for a bridge that has not reported its version. */
  version: string | null;
  broker_connected: boolean | null;
  /** Null while the bridge does not know its spool; `depth` is null while the spool cannot be read. */
  spool: { state: SpoolState; depth: number | null; oldest_at: string | null; dead: number | null } | null;
  /** End of its broker's certificate, and free bytes on its disk; null while the bridge does not know. */
  certificate_until: string | null;
  disk_free: number | null;
  /** How many boards have a presence that the bridge does not report, because it has too many boards. */
  boards_passed_over: number | null;
  /** Boards over their quota, as last reported; null if the bridge does not know or never reported them. */
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
  /** Why the run failed, as in the log; null if it did not fail, or the reason is unknown. */
  failure: string | null;
};

/** `detail` describes the present state, if there is more to say. */
export type ActiveAlert = AlertKey & { since: string; detail: string | null };

/** A watch run older than this is too old to show the present state. */
export const WATCH_RUN_VALID_MS = 15 * MINUTE_MS;

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** A size as text, `12.3 MB`, in powers of a thousand. */
export function byteSizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}
