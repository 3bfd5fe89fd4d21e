import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { Reading } from '#contract/readings';

/**
 * A reading changes only a few pages, but SQLite writes each changed page whole into its log. So pages have
 * the minimum size: docs/decisions/0014-acknowledged-in-groups.md.
 */
const PAGE_BYTES = 512;

const letterBytes = (row: 'new' | 'old') =>
  `(length(${row}.payload) + length(${row}.topic) + length(${row}.reason) + 64)`;

/**
 * SQLite moves its write-ahead log into the file at one megabyte, so the log stays smaller than the reserve.
 * SQLite syncs the log before that; disk.ts syncs the log at each commit.
 * `epoch` says which clock measured `received_at`: 'server' is the server's, NULL is unknown, and 'retained'
 * is a message that the broker had retained, so it was received some time after its measurement. Any other
 * value is an epoch of this machine's clock: the corrected time is `uptime` plus the epoch's offset, once
 * that is known.
 * An `undated` reading has its receipt time as datetime. `message` is the number of the message with several
 * readings from which a reading or dead letter comes; `newest` is as in `DecodedMessage`. The table
 * `retained` has the broker's retained messages as last received. A dead letter has so many `messages` and
 * `readings`; if it is `folded`, it only counts them. Triggers count the dead letters, because several
 * programs add and remove them.
 */
const tables = `
  PRAGMA page_size = ${PAGE_BYTES};
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA busy_timeout = 2000;
  PRAGMA wal_autocheckpoint = ${(1024 * 1024) / PAGE_BYTES};
  PRAGMA temp_store = MEMORY;
  CREATE TABLE IF NOT EXISTS readings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    plant TEXT NOT NULL,
    datetime INTEGER NOT NULL,
    soil_moisture INTEGER NOT NULL,
    seq INTEGER,
    needs_seq INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    not_before INTEGER NOT NULL DEFAULT 0,
    epoch TEXT,
    uptime INTEGER,
    undated INTEGER NOT NULL,
    message INTEGER,
    newest INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS readings_by_plant ON readings (plant, not_before);
  CREATE TABLE IF NOT EXISTS waiting (
    number INTEGER PRIMARY KEY,
    plant TEXT NOT NULL,
    payload BLOB NOT NULL,
    deflated INTEGER NOT NULL,
    retained INTEGER NOT NULL,
    elements INTEGER NOT NULL,
    taken INTEGER NOT NULL DEFAULT 0,
    is_over INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    epoch TEXT,
    uptime INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS waiting_by_plant ON waiting (plant);
  CREATE TABLE IF NOT EXISTS quotas (
    plant TEXT PRIMARY KEY,
    tokens REAL NOT NULL,
    boot TEXT NOT NULL,
    uptime INTEGER NOT NULL,
    packed INTEGER NOT NULL,
    unpaid INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    is_over INTEGER NOT NULL,
    refused_messages INTEGER NOT NULL,
    refused_readings INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS epochs (epoch TEXT PRIMARY KEY, boot TEXT NOT NULL, server_offset INTEGER) STRICT;
  CREATE TABLE IF NOT EXISTS dead_letters (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    topic TEXT NOT NULL,
    payload BLOB NOT NULL,
    reason TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    message INTEGER,
    messages INTEGER NOT NULL DEFAULT 1,
    readings INTEGER NOT NULL DEFAULT 1,
    folded INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE IF NOT EXISTS retained (topic TEXT PRIMARY KEY, digest BLOB NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS delivered (last INTEGER PRIMARY KEY, messages BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS spool (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    seq_base INTEGER NOT NULL,
    opened_at INTEGER NOT NULL,
    messages INTEGER NOT NULL DEFAULT 0,
    exported INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS dead_letters_folded ON dead_letters (topic, reason) WHERE folded = 1;
  CREATE INDEX IF NOT EXISTS dead_letters_by_message ON dead_letters (message) WHERE message IS NOT NULL;
  CREATE TABLE IF NOT EXISTS dead_letter_sizes (
    topic TEXT PRIMARY KEY, bytes INTEGER NOT NULL, messages INTEGER NOT NULL, readings INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER IF NOT EXISTS dead_letter_added AFTER INSERT ON dead_letters BEGIN
    INSERT INTO dead_letter_sizes VALUES (new.topic, ${letterBytes('new')}, new.messages, new.readings)
    ON CONFLICT (topic) DO UPDATE SET bytes = bytes + excluded.bytes,
      messages = messages + excluded.messages, readings = readings + excluded.readings;
  END;
  CREATE TRIGGER IF NOT EXISTS dead_letter_changed AFTER UPDATE ON dead_letters BEGIN
    UPDATE dead_letter_sizes SET bytes = bytes + ${letterBytes('new')} - ${letterBytes('old')},
      messages = messages + new.messages - old.messages, readings = readings + new.readings - old.readings
    WHERE topic = new.topic;
  END;
  CREATE TRIGGER IF NOT EXISTS dead_letter_removed AFTER DELETE ON dead_letters BEGIN
    UPDATE dead_letter_sizes SET bytes = bytes - ${letterBytes('old')},
      messages = messages - old.messages, readings = readings - old.readings
    WHERE topic = old.topic;
    DELETE FROM dead_letter_sizes WHERE topic = old.topic AND messages <= 0;
  END;
`;

/** `not_before` of a reading that waited for tokens: its age does not mean that the delivery is slow. */
export const NOT_BEFORE_THROTTLED = -1;

/** The undelivered readings, each with the best receipt time that is known. */
export const UNDELIVERED_READINGS = `
  SELECT readings.id, plant, message, newest, soil_moisture, seq, needs_seq, not_before,
    iif(readings.epoch = 'retained', min(received_at, datetime), coalesce(server_offset + uptime, received_at)) AS received_at,
    iif(undated, coalesce(server_offset + uptime, datetime), datetime) AS datetime,
    coalesce(readings.epoch = 'server', 0) OR server_offset IS NOT NULL AS by_server
  FROM readings LEFT JOIN epochs ON epochs.epoch = readings.epoch`;

const LAYOUT = 1;

/** Creates the tables if there are none. Returns false if the file has another layout. */
export function prepareTables(db: DatabaseSync): boolean {
  const isNew = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'readings'").get() === undefined;
  if (!isNew && db.prepare('PRAGMA user_version').get()?.['user_version'] !== LAYOUT) return false;
  db.exec(tables);
  // A file by version 0.1.0 has no column `newest`.
  const hasNewest = db.prepare("SELECT 1 FROM pragma_table_info('readings') WHERE name = 'newest'").get();
  if (hasNewest === undefined) db.exec('ALTER TABLE readings ADD COLUMN newest INTEGER');
  if (isNew) db.exec(`PRAGMA user_version = ${LAYOUT}`);
  db.exec(`DELETE FROM epochs WHERE epoch NOT IN (SELECT epoch FROM readings WHERE epoch IS NOT NULL
    UNION ALL SELECT epoch FROM waiting WHERE epoch IS NOT NULL)`);
  return true;
}

const rowSchema = z.object({
  id: z.int(),
  plant: z.string(),
  message: z.int().nullable(),
  newest: z.int().nullable(),
  datetime: z.int(),
  soil_moisture: z.int(),
  seq: z.int().nullable(),
  received_at: z.int(),
  by_server: z.int(),
});

export type SpooledReading = {
  id: number;
  /** The number of the message with several readings from which the reading comes; null if it came alone. */
  message: number | null;
  reading: Reading;
  /** Whether the receipt time is a time by the server's clock. */
  stampedByServer: boolean;
};

export function spooledReadingFromRow(row: unknown): SpooledReading {
  const { id, plant, message, newest, datetime, soil_moisture, seq, received_at, by_server } =
    rowSchema.parse(row);
  const reading: Reading = {
    plant,
    datetime: new Date(datetime).toISOString(),
    soil_moisture,
    ...(seq === null ? {} : { seq }),
    received_at: new Date(received_at).toISOString(),
    ...(newest === null ? {} : { newest: new Date(newest).toISOString() }),
  };
  return { id, message, reading, stampedByServer: by_server === 1 };
}
