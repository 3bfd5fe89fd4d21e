import type { TaskName } from '#contract/alert-list';
import type { AlertKind } from '#contract/alerts';
import { sql } from 'drizzle-orm';
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ReceiverKind } from '#contract/receivers';

/* What the product records about its own operation. The conventions of users.ts apply. */

/** Every attempt at a backup, as recorded by the backup command. An archive contains its own attempt. */
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

/** Every restore drill (an archive restored into a temporary store), as recorded by the backup command. */
export const drills = sqliteTable(
  'drills',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    ok: integer({ mode: 'boolean' }).notNull(),
    /** When the archive was made, and the restored rows and files; NULL for a failed drill. */
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
    /** Whether the last finished run succeeded, and if not, why; NULL also from an older worker. */
    ok: integer({ mode: 'boolean' }),
    failure: text(),
  },
  () => [
    check('task_runs_name', sql`name IN ('retention', 'rollups', 'watch')`),
    check('task_runs_ok', sql`ok IN (0, 1)`),
  ],
);

/** The sizes at the beginning of each day, which the forecast uses; in UTC, because D1 counts days in UTC. */
export const databaseDays = sqliteTable('database_days', {
  /** `YYYY-MM-DD` */
  day: text().primaryKey(),
  /** Bytes of DB and of PLANTS_DB; NULL if that database did not answer, or did not exist yet. */
  size: integer().notNull(),
  plants_size: integer(),
  /** How many readings were ever stored, of the plants that existed then. */
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
    /** Details in Korean that the kind of alert does not say, such as an amount, a name or a deadline. */
    detail: text(),
    /** When the problem itself began. */
    since: integer().notNull(),
    /** When the state last became well; NULL while it is not well. */
    well_since: integer(),
    /** When the alert was judged to be over. */
    over_at: integer(),
    /** When the alert's start was handed to the receivers; NULL while there are no receivers. */
    told_at: integer(),
  },
  () => [check('alerts_key', sql`key = kind || ':' || name`)],
);

/** Receivers of alerts. The address is a secret: anybody who knows it can send messages there. */
export const receivers = sqliteTable(
  'receivers',
  {
    /** Ids are never reused, so that no news in the outbox reaches another receiver. */
    id: integer().primaryKey({ autoIncrement: true }),
    /** No CHECK on the values: each new kind would require rebuilding the table. */
    kind: text().$type<ReceiverKind>().notNull(),
    name: text().notNull(),
    address: text().notNull(),
    /** Whether the receiver gets alerts of every plant; otherwise only of the plants in `receiver_topics`. */
    every_plant: integer({ mode: 'boolean' }).notNull(),
    /** Whether the receiver gets alerts about the path from the bridge to the database. */
    line: integer({ mode: 'boolean' }).notNull(),
    /** `HH:MM` in Seoul, both or neither; from the first until the second nothing is sent. */
    quiet_from: text(),
    quiet_to: text(),
    created_at: integer().notNull(),
    /** When the receiver last accepted a message. */
    told_at: integer(),
  },
  () => [
    check('receivers_every_plant', sql`every_plant IN (0, 1)`),
    check('receivers_line', sql`line IN (0, 1)`),
    check('receivers_quiet', sql`(quiet_from IS NULL) = (quiet_to IS NULL)`),
  ],
);

/**
 * The plants that a receiver chose, by topic: the choice stays when a plant is removed, and applies again
 * when the plant's board sends again.
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

/** News of an alert for a receiver, sent or unsent; a row stays until the alert's end has been sent. */
export const outbox = sqliteTable(
  'outbox',
  {
    /** 0 for the operator's webhook, which is a variable. */
    receiver_id: integer().notNull(),
    /** As in `alerts`. */
    key: text().notNull(),
    kind: text().$type<AlertKind>().notNull(),
    name: text().notNull(),
    since: integer().notNull(),
    over_at: integer(),
    /** When the alert's start was sent. */
    told_at: integer(),
    /** When the next attempt is; NULL if nothing is to be sent. */
    next_at: integer(),
    /** Attempts to send the present news, and why the receiver did not accept it. */
    tries: integer().notNull().default(0),
    failure: text(),
    /** When the attempts to send the news were given up. */
    dropped_at: integer(),
  },
  (table) => [primaryKey({ columns: [table.receiver_id, table.key, table.since] })],
);
