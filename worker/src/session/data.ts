import type { SecureLevel } from '#contract/access-levels';
import type { Database } from '#db/client';
import { sessions, users } from '#db/schema';
import { eq, sql } from 'drizzle-orm';

export type NewSession = { tokenHash: string; userId: number; userAgent: string; now: number };

/** Opens a session and ends the one that the browser held before, in one transaction. */
export async function replaceSession(db: Database, session: NewSession, oldTokenHash: string | undefined) {
  const { now, ...row } = session;
  const open = db.insert(sessions).values({ ...row, createdAt: now, lastUsedAt: now });
  if (oldTokenHash === undefined) await open;
  else await db.batch([db.delete(sessions).where(eq(sessions.tokenHash, oldTokenHash)), open]);
}

/** The session and its user in one query, expired or not. */
export async function findSession(db: Database, tokenHash: string) {
  const rows = await db
    .select({
      sessionId: sessions.id,
      createdAt: sessions.createdAt,
      lastUsedAt: sessions.lastUsedAt,
      id: users.id,
      email: users.email,
      name: users.name,
      univId: users.univId,
      secureLevel: users.secureLevel,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.tokenHash, tokenHash));
  return rows[0];
}

export async function touchSession(db: Database, sessionId: number, now: number) {
  await db.update(sessions).set({ lastUsedAt: now }).where(eq(sessions.id, sessionId));
}

export async function deleteSession(db: Database, tokenHash: string) {
  await db.delete(sessions).where(eq(sessions.tokenHash, tokenHash));
}

export type SignedIn = { sub: string; email: string; name: string };

/** Creates the user at their first sign-in with `firstLevel`; later ones bring email and name up to date. */
export async function saveSignedInUser(db: Database, person: SignedIn, firstLevel: SecureLevel, now: number) {
  const rows = await db
    .insert(users)
    .values({ ...person, secureLevel: firstLevel, createdAt: now })
    .onConflictDoUpdate({ target: users.sub, set: { email: person.email, name: person.name } })
    .returning({
      id: users.id,
      email: users.email,
      name: users.name,
      univId: users.univId,
      secureLevel: users.secureLevel,
    });
  const row = rows[0];
  if (!row) throw new Error('the user was neither inserted nor updated');
  return row;
}

/**
 * Gives the user the number unless somebody else holds it, in one statement, so that a race has one winner.
 * A number that changes is unverified again.
 * @returns false when somebody else holds it
 */
export async function claimUnivId(db: Database, userId: number, univId: string): Promise<boolean> {
  const result = await db.run(sql`
    UPDATE OR IGNORE users
    SET univ_id = ${univId}, univ_id_verified_at = CASE WHEN univ_id = ${univId} THEN univ_id_verified_at END
    WHERE id = ${userId}`);
  return result.meta.changes === 1;
}
