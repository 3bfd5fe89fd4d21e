import { ADMIN, type SecureLevel } from '#contract/access-levels';
import type { Database } from '#db/client';
import { firstAdmins, sessions, users } from '#db/schema';
import { and, desc, eq, exists, sql } from 'drizzle-orm';
import { removeLogged } from '../access-log/data.ts';
import type { Actor } from '../lib/actor.ts';
import { rosterKnows } from '../claims/data.ts';

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

/**
 * Creates the user at their first sign-in, later ones bring email and name up to date.
 * @param first `level` of a newcomer; `isListedAdmin` makes an admin of the first who signs in under the address
 */
export async function saveSignedInUser(
  db: Database,
  person: SignedIn,
  first: { level: SecureLevel; isListedAdmin: boolean },
  now: number,
) {
  const address = person.email.toLowerCase();
  const isUsed = exists(
    db.select({ email: firstAdmins.email }).from(firstAdmins).where(eq(firstAdmins.email, address)),
  );
  const secureLevel = first.isListedAdmin
    ? sql<SecureLevel>`CASE WHEN ${isUsed} THEN CAST(${first.level} AS INTEGER) ELSE ${sql.raw(String(ADMIN))} END`
    : first.level;
  // With another address the roster may prove a claim that it did not prove before.
  const verifiedAt = sql`CASE WHEN ${sql.raw(rosterKnows('users.univ_id', 'excluded.email'))}
    THEN coalesce(${users.univIdVerifiedAt}, CAST(${now} AS INTEGER)) ELSE ${users.univIdVerifiedAt} END`;
  const save = db
    .insert(users)
    .values({ ...person, secureLevel, createdAt: now })
    .onConflictDoUpdate({
      target: users.sub,
      set: { email: person.email, name: person.name, univIdVerifiedAt: verifiedAt },
    })
    .returning({
      id: users.id,
      email: users.email,
      name: users.name,
      univId: users.univId,
      secureLevel: users.secureLevel,
    });
  const markUsed = db.insert(firstAdmins).values({ email: address }).onConflictDoNothing();
  const [rows] = first.isListedAdmin ? await db.batch([save, markUsed]) : [await save];
  const row = rows[0];
  if (!row) throw new Error('the user was neither inserted nor updated');
  return row;
}

/** The user's own open sessions, most recently used first. */
export async function listSessions(db: Database, userId: number) {
  return await db
    .select({
      id: sessions.id,
      createdAt: sessions.createdAt,
      lastUsedAt: sessions.lastUsedAt,
      userAgent: sessions.userAgent,
    })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.lastUsedAt));
}

/** Ends one of the user's own sessions; false when there is none of that id. */
export async function deleteOwnSession(db: Database, userId: number, sessionId: number): Promise<boolean> {
  const isOwn = and(eq(sessions.id, sessionId), eq(sessions.userId, userId));
  const { meta } = await db.delete(sessions).where(isOwn);
  return meta.changes === 1;
}

/** Removes sessions that were opened before `limit` (milliseconds since 1970): none lives that long. */
export function removeSessionsBefore(db: Database, by: Actor, limit: number): Promise<number> {
  const condition = 'created_at < ?1';
  return removeLogged(db, by, { table: 'sessions', condition, limit, what: 'sessions', subject: 'user' });
}
