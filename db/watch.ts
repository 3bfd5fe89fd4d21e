import type { TaskName } from '#contract/alert-list';
import type { AlertKind } from '#contract/alerts';
import { sql } from 'drizzle-orm';
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ReceiverKind } from '#contract/receivers';

/* What the product knows about its own operation. The conventions of schema.ts apply. */

/** Every attempt at a backup, as recorded by the backup command. An archive contains its own row. */
export const backups = sqliteTable(
  'backups',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    ok: integer({ mode: 'boolean' }).notNull(),
    /** Rows in all tables, stored files, and uncompressed bytes of both; NULL for a failed attempt. */
    rows: integer(),
    files: integer(),
    bytes: integer(),
  },
  () => [
    check('backups_ok', sql`ok IN (0, 1)`),
    check('backups_counts', sql`(ok = 1) = (rows IS NOT NULL AND files IS NOT NULL AND bytes IS NOT NULL)`),
  ],
);

/** Every attempt at restoring an archive into a throw-away store, as recorded by the backup command. */
export const drills = sqliteTable(
  'drills',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    ok: integer({ mode: 'boolean' }).notNull(),
    /** Of the archive: when it was made, and what came back of it; NULL for a failed attempt. */
    made_at: integer(),
    rows: integer(),
    files: integer(),
  },
  () => [
    check('drills_ok', sql`ok IN (0, 1)`),
    check('drills_counts', sql`(ok = 1) = (made_at IS NOT NULL AND rows IS NOT NULL AND files IS NOT NULL)`),
  ],
);

/** The last run of each scheduled task. */
export const taskRuns = sqliteTable(
  'task_runs',
  {
    name: text().$type<TaskName>().primaryKey(),
    started_at: integer().notNull(),
    /** NULL while the watch task is running, or if it never finished. */
    finished_at: integer(),
    /** Whether the last finished run succeeded, and if not, why, as in the log; NULL also from a worker of before. */
    ok: integer({ mode: 'boolean' }),
    failure: text(),
  },
  () => [
    check('task_runs_name', sql`name IN ('retention', 'rollups', 'watch')`),
    check('task_runs_ok', sql`ok IN (0, 1)`),
  ],
);

/** How much there was when each day of UTC began, by which D1 counts: what is to come is foreseen from these. */
export const databaseDays = sqliteTable('database_days', {
  /** `YYYY-MM-DD` */
  day: text().primaryKey(),
  /** Bytes of DB and of PLANTS_DB; NULL where that did not answer, or did not exist yet. */
  size: integer().notNull(),
  plants_size: integer(),
  /** Readings ever stored of the plants that there were. */
  readings: integer().notNull(),
});

/** Alerts, from the start of the problem until its end has been reported. */
export const alerts = sqliteTable(
  'alerts',
  {
    /** `kind` and `name`, joined by a colon. */
    key: text().primaryKey(),
    /** No CHECK on the values: each new kind would require rebuilding the table. */
    kind: text().$type<AlertKind>().notNull(),
    name: text().notNull(),
    /** How it stands, in Korean, where there is more to say than its kind: how much, of which, until when. */
    detail: text(),
    /** When the problem itself began. */
    since: integer().notNull(),
    /** When it last became well; NULL while it is not. */
    well_since: integer(),
    /** When it was judged to be over. */
    over_at: integer(),
    /** When its start was handed to the receivers; NULL while there are none. */
    told_at: integer(),
  },
  () => [check('alerts_key', sql`key = kind || ':' || name`)],
);

/** Who is told of alerts. The address is a secret: it lets anybody write there. */
export const receivers = sqliteTable(
  'receivers',
  {
    /** Never used again, so that nothing in the outbox reaches somebody else. */
    id: integer().primaryKey({ autoIncrement: true }),
    /** No CHECK on the values: each new kind would require rebuilding the table. */
    kind: text().$type<ReceiverKind>().notNull(),
    name: text().notNull(),
    address: text().notNull(),
    /** Whether it is told of every plant; otherwise only of those in `receiver_topics`. */
    every_plant: integer({ mode: 'boolean' }).notNull(),
    /** Whether it is told when the line from the bridge to the database fails. */
    line: integer({ mode: 'boolean' }).notNull(),
    /** `HH:MM` in Seoul, both or neither; from the first on until the second it is told of nothing. */
    quiet_from: text(),
    quiet_to: text(),
    created_at: integer().notNull(),
    /** When it last took a message. */
    told_at: integer(),
  },
  () => [
    check('receivers_every_plant', sql`every_plant IN (0, 1)`),
    check('receivers_line', sql`line IN (0, 1)`),
    check('receivers_quiet', sql`(quiet_from IS NULL) = (quiet_to IS NULL)`),
  ],
);

/**
 * The plants that somebody chose, by topic: the choice outlives a plant that is removed, and holds again when its board
 * comes back.
 */
export const receiverTopics = sqliteTable(
  'receiver_topics',
  {
    receiver_id: integer()
      .notNull()
      .references(() => receivers.id, { onDelete: 'cascade' }),
    topic: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.receiver_id, table.topic] })],
);

/** What each receiver has been told of an alert, or is still to be told; a row until its end has been told. */
export const outbox = sqliteTable(
  'outbox',
  {
    /** 0 is the operator's webhook, a variable. */
    receiver_id: integer().notNull(),
    /** As in `alerts`. */
    key: text().notNull(),
    kind: text().$type<AlertKind>().notNull(),
    name: text().notNull(),
    since: integer().notNull(),
    over_at: integer(),
    /** When its start was told. */
    told_at: integer(),
    /** When it is tried next; NULL while there is nothing to tell. */
    next_at: integer(),
    /** Of the news that is to be told: how often it was tried, and why it was not taken. */
    tries: integer().notNull().default(0),
    failure: text(),
    /** When it was given up. */
    dropped_at: integer(),
  },
  (table) => [primaryKey({ columns: [table.receiver_id, table.key, table.since] })],
);
