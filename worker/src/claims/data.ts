import { UNIV_ID_CLAIMS_PER_HOUR } from '#contract/users';
import { HOUR_MS } from '#contract/time';
import { statement, type Database } from '#db/client';
import { students } from '#db/roster';
import { numberClaims, users } from '#db/users';
import { insertFrom, toInt, jsonObject } from '#db/sql';
import {
  and,
  eq,
  gt,
  isNull,
  lt,
  lte,
  min,
  ne,
  notExists,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { logPerRow } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';

/** Whether the roster lists the number with this email: only the roster or an admin verifies a claim. */
export const rosterListsStudent = (univId: SQLWrapper | string, email: SQLWrapper | string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${students} WHERE ${students.id} = ${univId}
    AND ${students.email} <> '' AND lower(${students.email}) = lower(${email}))`;

const IS_KNOWN = rosterListsStudent(users.univ_id, users.email);

/**
 * Verifies every pending claim that the current roster proves. A verified claim stays verified, because an
 * admin may have relied on it. Run these statements in the batch that changes the roster, after the change.
 */
export function verifyProvenClaims(db: Database, by: Actor, now: number) {
  const isProven = sql`${users.univ_id_verified_at} IS NULL AND ${IS_KNOWN}`;
  return [
    loggedVerified(db, by, [0, 1], isProven),
    db.update(users).set({ univ_id_verified_at: now }).where(isProven),
  ] as const;
}

/** Revokes verifications made at instant `at` that the roster no longer proves. */
export function revokeUnprovenClaims(db: Database, by: Actor, at: SQLWrapper) {
  const isTakenBack = sql`${users.univ_id_verified_at} = ${at} AND NOT ${IS_KNOWN}`;
  return [
    loggedVerified(db, by, [1, 0], isTakenBack),
    db.update(users).set({ univ_id_verified_at: null }).where(isTakenBack),
  ] as const;
}

function loggedVerified(db: Database, by: Actor, [before, after]: [0 | 1, 0 | 1], condition: SQL) {
  const detail = jsonObject({ univ_id_verified: sql`json_array(${toInt(before)}, ${toInt(after)})` });
  const subject_id = sql`CAST(${users.id} AS TEXT)`;
  return logPerRow(
    db,
    by,
    { action: 'change', subject: 'user', subject_id, detail },
    sql`FROM ${users} WHERE ${condition}`,
  );
}

/**
 * Counts a claim before the number is looked up, so that claims of taken numbers count too.
 * @returns 0, or the seconds until the user may claim again
 */
export async function countUnivIdClaim(db: Database, userId: number, now: number): Promise<number> {
  const isRecent = and(eq(numberClaims.user_id, userId), gt(numberClaims.at, now - HOUR_MS));
  const isRoom = lt(db.$count(numberClaims, isRecent), UNIV_ID_CLAIMS_PER_HOUR);
  const row = { user_id: userId, at: toInt(now) };
  const [counted, [recent]] = await db.commit([
    statement(db, sql`${insertFrom(numberClaims, row, sql`WHERE ${isRoom}`)} RETURNING id`),
    db
      .select({ first: min(numberClaims.at) })
      .from(numberClaims)
      .where(isRecent),
  ]);
  if (counted.length === 1) return 0;
  return Math.ceil(((recent?.first ?? now) + HOUR_MS - now) / 1000);
}

/** Deletes claims that no longer count towards the limit at `now`. @returns their number */
export async function removeOldClaims(db: Database, now: number): Promise<number> {
  const [{ meta }] = await db.commit([db.delete(numberClaims).where(lte(numberClaims.at, now - HOUR_MS))]);
  return meta.changes;
}

/**
 * Assigns the number to the user unless somebody else holds it, atomically: exactly one of two concurrent
 * claims succeeds. A claim that the roster proves is verified, and ends another user's unverified claim.
 */
export async function claimUnivId(
  db: Database,
  user: { id: number; email: string },
  univId: string,
): Promise<boolean> {
  const isTheirs = rosterListsStudent(univId, user.email);
  const others = alias(users, 'others');
  const isHeld = and(eq(others.univ_id, univId), ne(others.id, user.id));
  const isUnproven = and(eq(users.univ_id, univId), isNull(users.univ_id_verified_at), ne(users.id, user.id));
  // A changed number becomes unverified; an unchanged number keeps an admin's confirmation.
  const verifiedAt = sql`CASE WHEN ${isTheirs} THEN ${Date.now()}
    WHEN ${users.univ_id} = ${univId} THEN ${users.univ_id_verified_at} END`;
  const [, claimed] = await db.commit([
    db.update(users).set({ univ_id: null }).where(and(isUnproven, isTheirs)),
    db
      .update(users)
      .set({ univ_id: univId, univ_id_verified_at: verifiedAt })
      .where(and(eq(users.id, user.id), notExists(db.select({ id: others.id }).from(others).where(isHeld))))
      .returning({ id: users.id }),
  ]);
  return claimed.length === 1;
}
