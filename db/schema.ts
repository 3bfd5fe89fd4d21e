import type { LogAction, LogSubject } from '#contract/access-log';
import { LEVELS, type SecureLevel } from '#contract/access-levels';
import type { CourseTarget } from '#contract/course-target';
import type { Semester } from '#contract/courses';
import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/*
 * Every table of DB except those of roster.ts, ledger.ts and watch.ts; PLANTS_DB has those of plants.ts. Instants are integers, in milliseconds
 * since 1970 UTC. `npm run migration -- <what_it_does>` turns a change here into numbered SQL, in which every table is
 * STRICT and every table with a composite key is WITHOUT ROWID.
 */

export const users = sqliteTable(
  'users',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** The identity provider's permanent id for the person; email and name may change. */
    sub: text().notNull().unique(),
    email: text().notNull(),
    name: text().notNull(),
    univ_id: text().unique(),
    univ_id_verified_at: integer(),
    secure_level: integer().$type<SecureLevel>().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [
    index('users_by_email').on(table.email),
    // The menu counts these users every few minutes.
    index('users_unconfirmed')
      .on(table.univ_id)
      .where(sql`univ_id IS NOT NULL AND univ_id_verified_at IS NULL`),
    check('users_secure_level', sql.raw(`secure_level IN (${LEVELS.join(', ')})`)),
    check(
      'users_univ_id',
      sql`univ_id GLOB '20[0-9][0-9][0-9][0-9][0-9][0-9]' OR univ_id GLOB '20[0-9][0-9][0-9][0-9][0-9][0-9][0-9]'`,
    ),
    check('users_univ_id_verified', sql`univ_id_verified_at IS NULL OR univ_id IS NOT NULL`),
  ],
);

/** Addresses in ADMIN_EMAILS that have created an admin. Each does so once, even if that user is deleted. */
export const firstAdmins = sqliteTable('first_admins', { email: text().primaryKey() });

export const sessions = sqliteTable(
  'sessions',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** SHA-256 of the cookie's token in hex, so that a leaked table opens no session. */
    token_hash: text().notNull().unique(),
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    user_agent: text().notNull(),
    created_at: integer().notNull(),
    last_used_at: integer().notNull(),
  },
  (table) => [
    index('sessions_by_user').on(table.user_id),
    check('sessions_token_hash', sql`length(token_hash) = 64`),
  ],
);

/** When each user recently claimed a number; limited per hour, so that nobody can probe numbers. */
export const numberClaims = sqliteTable(
  'number_claims',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    at: integer().notNull(),
  },
  (table) => [index('number_claims_by_user').on(table.user_id)],
);

/** ID tokens that have opened a session. A row stays until its token expires, even if the user is deleted. */
export const usedTokens = sqliteTable(
  'used_tokens',
  {
    /** SHA-256 of the signed part of the token, in hex. */
    token_hash: text().primaryKey(),
    expires_at: integer().notNull(),
  },
  () => [check('used_tokens_token_hash', sql`length(token_hash) = 64`)],
);

export const courses = sqliteTable(
  'courses',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    year: integer().notNull(),
    semester: integer().$type<Semester>().notNull(),
    subject: text().notNull(),
    subject_en: text().notNull(),
    target: integer().$type<CourseTarget>().notNull(),
    target_etc: text().notNull().default(''),
    target_etc_en: text().notNull().default(''),
    /** Raised by a trigger with every change. */
    version: integer().notNull().default(1),
  },
  (table) => [
    index('courses_by_term').on(table.year, table.semester),
    check('courses_year', sql`year BETWEEN 2021 AND 2050`),
    check('courses_semester', sql`semester BETWEEN 1 AND 4`),
    check('courses_subject', sql`subject <> '' AND subject_en <> ''`),
    check('courses_target', sql`target BETWEEN 0 AND 7`),
  ],
);

/** The roster: present and former students of the lab's courses. */
export const students = sqliteTable(
  'students',
  {
    /** The student number, as text because leading zeros matter. */
    id: text().primaryKey(),
    name: text().notNull(),
    department: text().notNull().default(''),
    tel: text().notNull().default(''),
    email: text().notNull().default(''),
    /** JSON: each field's last value set by hand. A field that still has it was corrected by hand. */
    by_hand: text().notNull().default('{}'),
    /**
     * The newest term of the student's enrolments as year * 10 + semester. It remains when the last enrolment is
     * deleted, and the retention period is counted from it. Maintained by triggers.
     */
    last_term: integer(),
    /** Raised by triggers with every change of the student and of their enrolments. */
    version: integer().notNull().default(1),
  },
  () => [
    check('students_id', sql`length(id) BETWEEN 4 AND 20 AND id NOT GLOB '*[^0-9A-Za-z-]*'`),
    check('students_name', sql`name <> ''`),
  ],
);

/**
 * Who did what to whose personal data, and from where (개인정보 접속기록). Triggers reject every UPDATE, and DELETE
 * within a year. People are ids without foreign keys, because the log outlives them; it has no user's texts.
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
    // Corrected student numbers, which every import looks up.
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
  /** Without a foreign key, because a review outlives its reviewer. */
  reviewer_id: integer().notNull(),
  /** Contains no names of people, like the log. */
  remark: text().notNull(),
});
