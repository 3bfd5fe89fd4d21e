import type { AlertKind, TaskName } from '#contract/alerts';
import { sql } from 'drizzle-orm';
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

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

/** The last run of each scheduled task. */
export const taskRuns = sqliteTable(
  'task_runs',
  {
    name: text().$type<TaskName>().primaryKey(),
    started_at: integer().notNull(),
    /** NULL while the watch task is running, or if it never finished. */
    finished_at: integer(),
    /** Whether the last finished run succeeded. */
    ok: integer({ mode: 'boolean' }),
  },
  () => [
    check('task_runs_name', sql`name IN ('retention', 'watch')`),
    check('task_runs_ok', sql`ok IN (0, 1)`),
  ],
);

/** Alerts, from the start of the problem until its end has been reported. */
export const alerts = sqliteTable(
  'alerts',
  {
    /** `kind` and `name`, joined by a colon. */
    key: text().primaryKey(),
    /** No CHECK on the values: each new kind would require rebuilding the table. */
    kind: text().$type<AlertKind>().notNull(),
    name: text().notNull(),
    /** When the problem itself began. */
    since: integer().notNull(),
    /** When it last became well; NULL while it is not. */
    well_since: integer(),
    /** When it was judged to be over. */
    over_at: integer(),
    /** When the message reporting its start was accepted. */
    told_at: integer(),
  },
  () => [check('alerts_key', sql`key = kind || ':' || name`)],
);
