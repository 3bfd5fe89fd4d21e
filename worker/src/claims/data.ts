import type { Database } from '#db/client';
import { loggedBy } from '../access-log/data.ts';
import type { Actor } from '../lib/actor.ts';

/** SQL: whether the roster knows the number under the address. That alone verifies a claim, besides an admin. */
export function rosterKnows(univId: string, email: string): string {
  return `EXISTS (SELECT 1 FROM students
    WHERE students.id = ${univId} AND students.email <> '' AND lower(students.email) = lower(${email}))`;
}

const IS_PROVEN = `univ_id_verified_at IS NULL AND ${rosterKnows('users.univ_id', 'users.email')}`;

/**
 * Verifies every claim that was waiting for what the roster says now. What is verified stays so when the roster changes
 * again: nothing tells whether an admin has relied on it. The statements go into the batch that changes the roster,
 * behind the change.
 */
export function verifyClaims(db: Database, by: Actor, now: number): D1PreparedStatement[] {
  return [
    loggedVerified(db, by, [0, 1], IS_PROVEN),
    db.$client.prepare(`UPDATE users SET univ_id_verified_at = ?1 WHERE ${IS_PROVEN}`).bind(now),
  ];
}

/** Takes back what was verified at that very instant and what the roster does not prove any more. */
export function takeBackVerified(db: Database, by: Actor, at: string): D1PreparedStatement[] {
  const isTakenBack = `univ_id_verified_at = (${at}) AND NOT ${rosterKnows('users.univ_id', 'users.email')}`;
  return [
    loggedVerified(db, by, [1, 0], isTakenBack),
    db.$client.prepare(`UPDATE users SET univ_id_verified_at = NULL WHERE ${isTakenBack}`),
  ];
}

/** A row of the log for each user whom the condition finds. */
function loggedVerified(db: Database, by: Actor, [before, after]: [0 | 1, 0 | 1], condition: string) {
  return loggedBy(
    db,
    by,
    { action: 'change', subject: 'user' },
    `SELECT CAST(id AS TEXT) AS subject_id, json_object('univ_id_verified', json_array(${before}, ${after})) AS detail
     FROM users WHERE ${condition}`,
  );
}

/**
 * Gives the user the number unless somebody else holds it, atomically, so that a race has one winner. The claim is
 * verified when the roster knows the number under the user's email; then it displaces a claim that is not.
 * @returns false when somebody else holds the number
 */
export async function claimUnivId(
  { $client }: Database,
  user: { id: number; email: string },
  univId: string,
): Promise<boolean> {
  const isTheirs = rosterKnows('?2', '?3');
  const [, claimed] = await $client.batch<{ id: number }>([
    $client
      .prepare(
        `UPDATE users SET univ_id = NULL
         WHERE univ_id = ?2 AND univ_id_verified_at IS NULL AND id <> ?1 AND ${isTheirs}`,
      )
      .bind(user.id, univId, user.email),
    // A number that changes is unverified again; one that stays keeps what an admin has confirmed.
    $client
      .prepare(
        `UPDATE users SET univ_id = ?2, univ_id_verified_at = CASE
           WHEN ${isTheirs} THEN ?4 WHEN univ_id = ?2 THEN univ_id_verified_at END
         WHERE id = ?1 AND NOT EXISTS (
           SELECT 1 FROM users AS others WHERE others.univ_id = ?2 AND others.id <> ?1)
         RETURNING id`,
      )
      .bind(user.id, univId, user.email, Date.now()),
  ]);
  return claimed?.results.length === 1;
}
