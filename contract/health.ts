import { MINUTE_MS } from './time.ts';
import * as z from 'zod';
import type { AlertKey, TaskName } from './alerts.ts';
import type { BoardOverQuota, SpoolState } from './readings.ts';

/** Response of GET /api/health: 200 when every part is up, otherwise 503. */
export const healthSchema = z.object({
  ok: z.boolean(),
  parts: z.object({ api: z.boolean(), ingest: z.boolean(), broker: z.boolean(), bridge: z.boolean() }),
});
export type Health = z.infer<typeof healthSchema>;

/** Response of GET /api/health/details, for admins. Instants are ISO 8601. Null means that the lookup failed. */
export type HealthDetails = {
  /** When the lookup was made, by the server's clock. */
  at: string;
  parts: Health['parts'];
  bridges: BridgeDetails[] | null;
  plants: PlantDetails[] | null;
  /** Bytes of the database, and of the pictures and receipts that it has records of. */
  storage: { database: number; files: number; files_count: number } | null;
  backup: {
    last: { at: string; rows: number; files: number; bytes: number } | null;
    /** The first failure since then. */
    failed_at: string | null;
    /** Days without a backup after which an alert is raised. */
    alert_days: number;
  } | null;
  /** The last run of each scheduled task that has ever run; `ok` is null until a run has finished. */
  tasks: TaskDetails[] | null;
  alerts: Trouble[] | null;
  /** Whether alerts are sent anywhere, and whether any service expects the watch's sign of life. */
  webhook: boolean;
  heartbeat: boolean;
};

/** The latest heartbeat of a bridge that has a key. */
export type BridgeDetails = {
  bridge: string;
  alive: boolean;
  /** Null if the bridge has never reported. If it has gone silent, the values are its last known ones. */
  reported_at: string | null;
  broker_connected: boolean | null;
  /** Null while the bridge does not know it; `depth` is null while the spool cannot be read. */
  spool: { state: SpoolState; depth: number | null; oldest_at: string | null; dead: number | null } | null;
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
};

export type Trouble = AlertKey & { since: string };

/** A watch run older than this says nothing about the present. */
export const LOOK_HOLDS_MS = 15 * MINUTE_MS;
