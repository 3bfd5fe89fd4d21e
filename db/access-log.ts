import type { LogAction, LogSubject } from '#contract/access-log';
import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Who did what to whose personal data, and from where (개인정보 접속기록). Triggers reject every UPDATE, and DELETE
 * within a year. Rows stay when people are deleted, so ids are no foreign keys. Rows have no user's text.
 */
export const accessLog = sqliteTable(
  'access_log',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    /** NULL for an operator's command and for the system's tasks, which differ in `address`. */
    actor_id: integer(),
    address: text().notNull(),
    action: text().$type<LogAction>().notNull(),
    subject: text().$type<LogSubject>().notNull(),
    /** The id of the person whose data it was; NULL for a list. */
    subject_id: text(),
    /** JSON: a list's filter and row count, a change's values before and after, or an export's reason. */
    detail: text().notNull().default('{}'),
    /** Id of the request, as in the log lines; NULL for a command. */
    request_id: text(),
  },
  (table) => [
    index('access_log_by_time').on(table.at),
    // Every import looks up which student numbers were corrected.
    index('access_log_renumbered')
      .on(table.subject_id)
      .where(sql`detail ->> '$.number' IS NOT NULL`),
    check('access_log_action', sql`action IN ('read', 'create', 'change', 'delete', 'export')`),
    check('access_log_detail', sql`json_type(detail) = 'object'`),
  ],
);

/** Months of the access log that an admin has signed off. Triggers protect them as they protect the log. */
export const logReviews = sqliteTable('log_reviews', {
  id: integer().primaryKey({ autoIncrement: true }),
  /** A month in Seoul, as `2026-03`. */
  month: text().notNull().unique(),
  at: integer().notNull(),
  /** Without a foreign key, because a review stays when its reviewer is deleted. */
  reviewer_id: integer().notNull(),
  /** Contains no names of people, like the log. */
  remark: text().notNull(),
});
