import * as z from 'zod';

/** Answer of GET /api/health: 200 when every part stands, 503 otherwise. */
export const healthSchema = z.object({
  ok: z.boolean(),
  parts: z.object({ api: z.boolean(), ingest: z.boolean(), broker: z.boolean(), bridge: z.boolean() }),
});
export type Health = z.infer<typeof healthSchema>;

/** Answer of GET /api/health/details, for admins. Instants in ISO 8601. */
export type HealthDetails = {
  parts: Health['parts'];
  /** The last word of each bridge that has a key. `spool` is null of one that did not say. */
  bridges: {
    bridge: string;
    alive: boolean;
    broker_connected: boolean;
    reported_at: string;
    spool: { depth: number; oldest_at: string | null; dead: number } | null;
  }[];
  plants: {
    plant: string;
    last_received_at: string | null;
    stale_after_minutes: number;
    board: 'online' | 'offline' | null;
  }[];
  /** Bytes of the database, and those of the pictures and receipts that it has records of. */
  storage: { database: number; files: number; files_count: number };
  backup: {
    last: { at: string; rows: number; files: number; bytes: number } | null;
    /** The first failure after it. */
    failed_at: string | null;
    /** After so many days without one somebody is told. */
    alert_days: number;
  };
  /** The last run of each scheduled task; `ok` is null until one has ended. */
  tasks: {
    task: 'retention' | 'watch';
    started_at: string;
    finished_at: string | null;
    ok: boolean | null;
  }[];
  alerts: { kind: 'board' | 'bridge' | 'spool' | 'backup'; name: string; since: string }[];
  /** Whether alerts are told to anybody. */
  webhook: boolean;
};
