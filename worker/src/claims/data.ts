import type { Database } from '#db/client';
import { students, users } from '#db/schema';
import { integer, jsonObject } from '#db/sql';
import { and, eq, isNull, ne, notExists, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { loggedEach } from '../access-log/data.ts';
import type { Actor } from '../lib/actor.ts';

/** Whether the roster knows the number under the address. That alone verifies a claim, besides an admin. */
export const rosterKnows = (univId: SQLWrapper | string, email: SQLWrapper | string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${students} WHERE ${students.id} = ${univId}
    AND ${students.email} <> '' AND lower(${students.email}) = lower(${email}))`;

const IS_KNOWN = rosterKnows(users.univ_id, users.email);

/**
 * Verifies every claim that was waiting for what the roster says now. What is verified stays so when the roster changes
 * again: nothing tells whether an admin has relied on it. The statements go into the batch that changes the roster,
 * behind the change.
 */
export function verifyProven(db: Database, by: Actor, now: number) {
  const isProven = sql`${users.univ_id_verified_at} IS NULL AND ${IS_KNOWN}`;
  return [
    loggedVerified(db, by, [0, 1], isProven),
    db.update(users).set({ univ_id_verified_at: now }).where(isProven),
  ] as const;
}

/** Takes back what was verified at that very instant and what the roster does not prove any more. */
export function takeBackUnproven(db: Database, by: Actor, at: SQLWrapper) {
  const isTakenBack = sql`${users.univ_id_verified_at} = ${at} AND NOT ${IS_KNOWN}`;
  return [
    loggedVerified(db, by, [1, 0], isTakenBack),
    db.update(users).set({ univ_id_verified_at: null }).where(isTakenBack),
  ] as const;
}

/** A row of the log for each user whom the condition finds. */
function loggedVerified(db: Database, by: Actor, [before, after]: [0 | 1, 0 | 1], condition: SQL) {
  const detail = jsonObject({ univ_id_verified: sql`json_array(${integer(before)}, ${integer(after)})` });
  const subject_id = sql`CAST(${users.id} AS TEXT)`;
  return loggedEach(
    db,
    by,
    { action: 'change', subject: 'user', subject_id, detail },
    sql`FROM ${users} WHERE ${condition}`,
  );
}

/**
 * Gives the user the number unless somebody else holds it, atomically, so that a race has one winner. The claim is
 * verified when the roster knows the number under the user's email; then it displaces a claim that is not.
 * @returns false when somebody else holds the number
 */
export async function claimUnivId(
  db: Database,
  user: { id: number; email: string },
  univId: string,
): Promise<boolean> {
  const isTheirs = rosterKnows(univId, user.email);
  const others = alias(users, 'others');
  const isHeld = and(eq(others.univ_id, univId), ne(others.id, user.id));
  const isUnproven = and(eq(users.univ_id, univId), isNull(users.univ_id_verified_at), ne(users.id, user.id));
  // A number that changes is unverified again; one that stays keeps what an admin has confirmed.
  const verifiedAt = sql`CASE WHEN ${isTheirs} THEN ${Date.now()}
    WHEN ${users.univ_id} = ${univId} THEN ${users.univ_id_verified_at} END`;
  const [, claimed] = await db.batch([
    db.update(users).set({ univ_id: null }).where(and(isUnproven, isTheirs)),
    db
      .update(users)
      .set({ univ_id: univId, univ_id_verified_at: verifiedAt })
      .where(and(eq(users.id, user.id), notExists(db.select({ id: others.id }).from(others).where(isHeld))))
      .returning({ id: users.id }),
  ]);
  return claimed.length === 1;
}
