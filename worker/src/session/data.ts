import { ADMIN, type SecureLevel } from '#contract/access-levels';
import type { Database } from '#db/client';
import { firstAdmins, sessions, users } from '#db/schema';
import { integer } from '#db/sql';
import { and, desc, eq, exists, lt, sql } from 'drizzle-orm';
import { removeCounted } from '../access-log/data.ts';
import type { Actor } from '../lib/actor.ts';
import { rosterKnows } from '../claims/data.ts';

type NewSession = { token_hash: string; user_id: number; user_agent: string; now: number };

/** Opens a session and ends the browser's previous one, in one transaction. */
export async function replaceSession(db: Database, session: NewSession, oldTokenHash: string | undefined) {
  const { now, ...row } = session;
  const open = db.insert(sessions).values({ ...row, created_at: now, last_used_at: now });
  if (oldTokenHash === undefined) await open;
  else await db.batch([db.delete(sessions).where(eq(sessions.token_hash, oldTokenHash)), open]);
}

/** The session and its user in one query, whether or not it has expired. */
export async function findSession(db: Database, tokenHash: string) {
  const rows = await db
    .select({
      sessionId: sessions.id,
      createdAt: sessions.created_at,
      lastUsedAt: sessions.last_used_at,
      id: users.id,
      email: users.email,
      name: users.name,
      univId: users.univ_id,
      secureLevel: users.secure_level,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id))
    .where(eq(sessions.token_hash, tokenHash));
  return rows[0];
}

export async function touchSession(db: Database, sessionId: number, now: number) {
  await db.update(sessions).set({ last_used_at: now }).where(eq(sessions.id, sessionId));
}

export async function deleteSession(db: Database, tokenHash: string) {
  await db.delete(sessions).where(eq(sessions.token_hash, tokenHash));
}

type SignedIn = { sub: string; email: string; name: string };

/**
 * Creates the user at the first sign-in; later ones update email and name.
 * @param first a newcomer's `level`; with `isListedAdmin` the first person to sign in with the address becomes an admin
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
    ? sql<SecureLevel>`iif(${isUsed}, ${integer(first.level)}, ${integer(ADMIN)})`
    : first.level;
  // With a different address the roster may prove a claim that it did not prove before.
  const verifiedAt = sql`iif(${rosterKnows(users.univ_id, person.email)},
    coalesce(${users.univ_id_verified_at}, ${integer(now)}), ${users.univ_id_verified_at})`;
  const save = db
    .insert(users)
    .values({ ...person, secure_level: secureLevel, created_at: now })
    .onConflictDoUpdate({
      target: users.sub,
      set: { email: person.email, name: person.name, univ_id_verified_at: verifiedAt },
    })
    .returning({
      id: users.id,
      email: users.email,
      name: users.name,
      univId: users.univ_id,
      secureLevel: users.secure_level,
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
      createdAt: sessions.created_at,
      lastUsedAt: sessions.last_used_at,
      userAgent: sessions.user_agent,
    })
    .from(sessions)
    .where(eq(sessions.user_id, userId))
    .orderBy(desc(sessions.last_used_at));
}

/** Ends one of the user's own sessions; false when there is no such id. */
export async function deleteOwnSession(db: Database, userId: number, sessionId: number): Promise<boolean> {
  const isOwn = and(eq(sessions.id, sessionId), eq(sessions.user_id, userId));
  const { meta } = await db.delete(sessions).where(isOwn);
  return meta.changes === 1;
}

/** Removes sessions opened before `limit` (milliseconds since 1970), all of which have expired. */
export function removeSessionsBefore(db: Database, by: Actor, limit: number): Promise<number> {
  const condition = lt(sessions.created_at, limit);
  return removeCounted(db, by, { table: sessions, condition, what: 'sessions', subject: 'user' });
}
