import type { AlertKind, TaskName } from '#contract/alerts';
import { sql } from 'drizzle-orm';
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/* What is known of the product's own running. The rules of schema.ts hold here too. */

/** Every attempt to make a backup, as the command that made it tells. An archive holds its own row too. */
export const backups = sqliteTable(
  'backups',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    ok: integer({ mode: 'boolean' }).notNull(),
    /** Rows of all tables, stored files, and bytes of both before they are packed; NULL of one that failed. */
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
    /** NULL of a look of the watch that goes on, or that never came to its end. */
    finished_at: integer(),
    /** Whether the last run that ended did what it should. */
    ok: integer({ mode: 'boolean' }),
  },
  () => [
    check('task_runs_name', sql`name IN ('retention', 'watch')`),
    check('task_runs_ok', sql`ok IN (0, 1)`),
  ],
);

/** What somebody is told of, from its beginning until its end was told. */
export const alerts = sqliteTable(
  'alerts',
  {
    /** `kind` and `name`, parted by a colon. */
    key: text().primaryKey(),
    /** Any: a list of them here would make each new kind cost a new table. */
    kind: text().$type<AlertKind>().notNull(),
    name: text().notNull(),
    /** When the trouble itself began. */
    since: integer().notNull(),
    /** Since when all has been well without a break; NULL while it is not. */
    well_since: integer(),
    /** It counts as over from then on. */
    over_at: integer(),
    /** When the message of its beginning was taken. */
    told_at: integer(),
  },
  () => [check('alerts_key', sql`key = kind || ':' || name`)],
);
