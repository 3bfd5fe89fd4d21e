import { LEVELS, type SecureLevel } from '#contract/access-levels';
import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/*
 * The tables of PLANTS_DB are in plants.ts, those of DB here and in the other files. Instants are integers in
 * milliseconds since 1970 UTC. `npm run migration -- <what_it_does>` turns a change into numbered SQL, in
 * which every table is STRICT and every table with a composite key is WITHOUT ROWID.
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

/** Addresses in ADMIN_EMAILS that have created an admin; each only once, even if the user is deleted. */
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

/** When each user recently claimed a number; limited per hour, so that nobody can find numbers by trying. */
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
