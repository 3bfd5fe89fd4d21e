import { MINUTE_MS } from './time.ts';
import * as z from 'zod';
import type { AlertKey, TaskName } from './alerts.ts';
import type { SpoolState } from './readings.ts';

/** Answer of GET /api/health: 200 when every part stands, 503 otherwise. */
export const healthSchema = z.object({
  ok: z.boolean(),
  parts: z.object({ api: z.boolean(), ingest: z.boolean(), broker: z.boolean(), bridge: z.boolean() }),
});
export type Health = z.infer<typeof healthSchema>;

/** Answer of GET /api/health/details, for admins. Instants in ISO 8601. What could not be looked up is null. */
export type HealthDetails = {
  /** When it was looked up, by the server's clock. */
  at: string;
  parts: Health['parts'];
  bridges: BridgeDetails[] | null;
  plants: PlantDetails[] | null;
  /** Bytes of the database, and those of the pictures and receipts that it has records of. */
  storage: { database: number; files: number; files_count: number } | null;
  backup: {
    last: { at: string; rows: number; files: number; bytes: number } | null;
    /** The first failure after it. */
    failed_at: string | null;
    /** After so many days without one somebody is told. */
    alert_days: number;
  } | null;
  /** The last run of each scheduled task that ever ran; `ok` is null until one has ended. */
  tasks: TaskDetails[] | null;
  alerts: Trouble[] | null;
  /** Whether alerts are told to anybody, and whether anybody waits for the watch's sign of life. */
  webhook: boolean;
  heartbeat: boolean;
};

/** The last word of a bridge that has a key. */
export type BridgeDetails = {
  bridge: string;
  alive: boolean;
  /** Null of one that never spoke; what it said before it fell silent otherwise. */
  reported_at: string | null;
  broker_connected: boolean | null;
  /** Null while it does not know; so is `depth` while the spool cannot be read. */
  spool: { state: SpoolState; depth: number | null; oldest_at: string | null; dead: number | null } | null;
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

/** A look of the watch that is older than this says nothing of now. */
export const LOOK_HOLDS_MS = 15 * MINUTE_MS;
