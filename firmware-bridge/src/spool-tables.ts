import * as z from 'zod';

/** One megabyte, and with that less than the reserve, is what waits to be taken over into the file itself. */
export const tables = `
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

export const rowSchema = z.object({
  id: z.int(),
  plant: z.string(),
  datetime: z.int(),
  soil_moisture: z.int(),
  seq: z.int().nullable(),
  received_at: z.int(),
});

export const deadLetterSchema = z.object({
  id: z.int(),
  topic: z.string(),
  payload: z.instanceof(Uint8Array),
  reason: z.string(),
  receivedAt: z.int(),
});

export const statusSchema = z.object({
  depth: z.int(),
  oldestReceivedAt: z.int().nullable(),
  deadLetters: z.int(),
});
