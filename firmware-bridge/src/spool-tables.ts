import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { Reading } from '#contract/readings';

/** The write-ahead log is checkpointed at one megabyte, and so stays smaller than the reserve. */
const tables = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA busy_timeout = 2000;
  PRAGMA wal_autocheckpoint = 256;
  PRAGMA temp_store = MEMORY;
  CREATE TABLE IF NOT EXISTS readings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    plant TEXT NOT NULL,
    datetime INTEGER NOT NULL,
    soil_moisture INTEGER NOT NULL,
    seq INTEGER,
    needs_seq INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    not_before INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE IF NOT EXISTS epochs (epoch TEXT PRIMARY KEY, boot TEXT NOT NULL, server_offset INTEGER) STRICT;
  CREATE TABLE IF NOT EXISTS dead_letters (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    topic TEXT NOT NULL,
    payload BLOB NOT NULL,
    reason TEXT NOT NULL,
    received_at INTEGER NOT NULL
  ) STRICT;
  DROP TABLE IF EXISTS deliveries;
  CREATE TABLE IF NOT EXISTS recent_deliveries (
    arrival INTEGER PRIMARY KEY AUTOINCREMENT,
    packet_id INTEGER NOT NULL UNIQUE,
    digest BLOB NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS subscription (id INTEGER PRIMARY KEY CHECK (id = 1), filter TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS spool (id INTEGER PRIMARY KEY CHECK (id = 1), seq_base INTEGER NOT NULL, opened_at INTEGER NOT NULL) STRICT;
`;

/**
 * `epoch` is 'server' for a receipt stamped by the server's clock. Any other value names a stretch of this machine's
 * own clock; the corrected time is `uptime` plus the epoch's offset, once that is known. Readings spooled by older
 * bridges have no epoch, and whose clock it was is unknown. `undated` readings were measured when they were received.
 */
const addedColumns = ['epoch TEXT', 'uptime INTEGER', 'undated INTEGER NOT NULL DEFAULT 0'];

/** Waiting readings, each with the best known receipt time. */
export const stamped = `
  SELECT readings.id, plant, soil_moisture, seq, needs_seq, not_before,
    coalesce(server_offset + uptime, received_at) AS received_at,
    iif(undated, coalesce(server_offset + uptime, datetime), datetime) AS datetime,
    coalesce(readings.epoch = 'server', 0) OR server_offset IS NOT NULL AS by_server
  FROM readings LEFT JOIN epochs ON epochs.epoch = readings.epoch`;

/** Creates the tables, or upgrades those of an older bridge. */
export function prepareTables(db: DatabaseSync): void {
  db.exec(tables);
  for (const column of addedColumns) {
    const [name = ''] = column.split(' ');
    const found = db.prepare("SELECT 1 FROM pragma_table_info('readings') WHERE name = ?").get(name);
    if (found === undefined) db.exec(`ALTER TABLE readings ADD COLUMN ${column}`);
  }
  db.exec('DELETE FROM epochs WHERE epoch NOT IN (SELECT epoch FROM readings WHERE epoch IS NOT NULL)');
}

const rowSchema = z.object({
  id: z.int(),
  plant: z.string(),
  datetime: z.int(),
  soil_moisture: z.int(),
  seq: z.int().nullable(),
  received_at: z.int(),
  by_server: z.int(),
});

/** `stampedByServer`: whether the receipt time is known by the server's clock. */
export type SpooledReading = { id: number; reading: Reading; stampedByServer: boolean };

export function readingFrom(row: unknown): SpooledReading {
  const { id, plant, datetime, soil_moisture, seq, received_at, by_server } = rowSchema.parse(row);
  const reading: Reading = {
    plant,
    datetime: new Date(datetime).toISOString(),
    soil_moisture,
    ...(seq === null ? {} : { seq }),
    received_at: new Date(received_at).toISOString(),
  };
  return { id, reading, stampedByServer: by_server === 1 };
}

export const deadLetterSchema = z.object({
  id: z.int(),
  topic: z.string(),
  payload: z.instanceof(Uint8Array),
  reason: z.string(),
  receivedAt: z.int(),
});

export const pagesSchema = z.object({ pages: z.int(), unused: z.int(), size: z.int() });

export const statusSchema = z.object({
  depth: z.int(),
  oldestReceivedAt: z.int().nullable(),
  deadLetters: z.int(),
});
