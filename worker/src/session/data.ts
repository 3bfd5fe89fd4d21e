import { ADMIN, type SecureLevel, hasAccess, LEVELS } from '#contract/access-levels';
import type { LoginUser } from '#contract/users';
import { endedStaffSessionLimits } from '#contract/session';
import { statement, isConstraintViolation, type Database, database, type Statements } from '#db/client';
import { firstAdmins, sessions, usedTokens, users } from '#db/users';
import { insertFrom, toInt, jsonObject } from '#db/sql';
import { and, desc, eq, exists, inArray, lt, or, sql } from 'drizzle-orm';
import type { BatchResponse } from 'drizzle-orm/batch';
import { logPerRow, deleteAndLogCount } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';
import { lowerCaseAscii } from '../lib/config.ts';
import { rosterListsStudent } from '../claims/data.ts';

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

export async function recordSessionUse(db: Database, sessionId: number, now: number) {
  await db.commit([db.update(sessions).set({ last_used_at: now }).where(eq(sessions.id, sessionId))]);
}

/** @returns the id of the session that ended, if there was one */
export async function deleteSession(db: Database, tokenHash: string): Promise<number | undefined> {
  const [[ended]] = await db.commit([
    db.delete(sessions).where(eq(sessions.token_hash, tokenHash)).returning({ id: sessions.id }),
  ]);
  return ended?.id;
}

/** Everything that a sign-in stores. */
export type SignIn = {
  idToken: { hash: string; expiresAt: number };
  person: { sub: string; email: string; name: string };
  /** A new user's level; with `isListedAdmin`, the first user with the address becomes an admin. */
  first: { level: SecureLevel; isListedAdmin: boolean };
  session: { token_hash: string; user_agent: string };
  /** Hash of the token of the browser's previous session, which ends. */
  endedTokenHash: string | undefined;
  /** The client's address, and the request. */
  from: Pick<Actor, 'address' | 'requestId'>;
};

/**
 * Creates the user at the first sign-in, updates email and name later, and opens the session, all in the
 * transaction that marks the ID token as used: of two concurrent sign-ins with one token, one stores nothing.
 * @returns the user, and the id of the session that ended; 'used' if the token has opened a session before
 */
export async function saveSignIn(
  db: Database,
  { idToken, person, first, session, endedTokenHash, from }: SignIn,
  now: number,
): Promise<{ user: LoginUser; ended: number | undefined } | 'used'> {
  const address = lowerCaseAscii(person.email);
  const use = db.insert(usedTokens).values({ token_hash: idToken.hash, expires_at: idToken.expiresAt });
  const firstAdmin = sql`WHERE ${toInt(Number(first.isListedAdmin))} ON CONFLICT DO NOTHING`;
  const markAddress = statement(db, insertFrom(firstAdmins, { email: address }, firstAdmin));
  const end = db
    .delete(sessions)
    .where(eq(sessions.token_hash, endedTokenHash ?? ''))
    .returning({ id: sessions.id });
  const row = { ...session, user_id: users.id, created_at: now, last_used_at: now };
  const open = statement(
    db,
    insertFrom(sessions, row, sql`FROM ${users} WHERE ${eq(users.sub, person.sub)}`),
  );
  try {
    const [, [user], , , [ended]] = await db.commit([
      use,
      savePerson(db, person, first, now),
      loggedFirstAdmin(db, { person, first, from }, now),
      markAddress,
      end,
      open,
    ]);
    if (!user) throw new Error('the user was neither inserted nor updated');
    return { user, ended: ended?.id };
  } catch (error) {
    if (isConstraintViolation(error, 'used_tokens.token_hash')) return 'used';
    throw error;
  }
}

const isUsedAddress = (db: Database, email: string) =>
  exists(
    db
      .select({ email: firstAdmins.email })
      .from(firstAdmins)
      .where(eq(firstAdmins.email, lowerCaseAscii(email))),
  );

/** Logs the new admin, with the same user as the actor. Must run before the address is marked as used. */
function loggedFirstAdmin(
  db: Database,
  { person, first, from }: Pick<SignIn, 'person' | 'first' | 'from'>,
  now: number,
) {
  const isNew = and(
    eq(users.sub, person.sub),
    eq(users.secure_level, ADMIN),
    eq(users.created_at, now),
    sql`${toInt(Number(first.isListedAdmin))} AND NOT ${isUsedAddress(db, person.email)}`,
  );
  const subject_id = sql`CAST(${users.id} AS TEXT)`;
  const detail = jsonObject({ secure_level: sql`json_array(NULL, ${users.secure_level})` });
  return logPerRow(
    db,
    { ...from, id: users.id },
    { action: 'create', subject: 'user', subject_id, detail },
    sql`FROM ${users} WHERE ${isNew}`,
  );
}

function savePerson(db: Database, person: SignIn['person'], first: SignIn['first'], now: number) {
  const isUsed = isUsedAddress(db, person.email);
  const secureLevel = first.isListedAdmin
    ? sql<SecureLevel>`iif(${isUsed}, ${toInt(first.level)}, ${toInt(ADMIN)})`
    : first.level;
  // With a new email address, the roster may now prove a claim.
  const verifiedAt = sql`iif(${rosterListsStudent(users.univ_id, person.email)},
    coalesce(${users.univ_id_verified_at}, ${toInt(now)}), ${users.univ_id_verified_at})`;
  return db
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

/** Ends one of the user's own sessions; false if there is no such id. */
export async function deleteOwnSession(db: Database, userId: number, sessionId: number): Promise<boolean> {
  const isOwn = and(eq(sessions.id, sessionId), eq(sessions.user_id, userId));
  const [{ meta }] = await db.commit([db.delete(sessions).where(isOwn)]);
  return meta.changes === 1;
}

/**
 * Removes a user's sessions that have expired according to the user's level. Run it in the batch that changes
 * the level, before the change.
 */
export function removeEndedSessions(db: Database, userId: number, now: number) {
  const { levels, openedBefore, usedBefore } = endedStaffSessionLimits(now);
  const staff = db.select({ id: users.id }).from(users).where(inArray(users.secure_level, levels));
  const isOver = or(lt(sessions.created_at, openedBefore), lt(sessions.last_used_at, usedBefore));
  return db
    .delete(sessions)
    .where(and(eq(sessions.user_id, userId), inArray(sessions.user_id, staff), isOver));
}

/** Removes sessions opened before `limit` (milliseconds since 1970), all of which have expired. */
export function removeSessionsBefore(db: Database, by: Actor, limit: number): Promise<number> {
  const condition = lt(sessions.created_at, limit);
  return deleteAndLogCount(db, by, { table: sessions, condition, what: 'sessions', subject: 'user' });
}

/** Removes the hashes of ID tokens that had expired at `now`. @returns their number */
export async function removeUsedTokens(db: Database, now: number): Promise<number> {
  const [{ meta }] = await db.commit([db.delete(usedTokens).where(lt(usedTokens.expires_at, now))]);
  return meta.changes;
}

const NOT_ADMITTED = 'not admitted any more';

type Admission = {
  sessionId: number;
  /** The level that the route requires. */
  level: number;
  /** Throws the reason why the user is not admitted. @throws ApiError */
  refuse: () => Promise<never>;
};

/** Makes SQLite fail, which rolls back the transaction, if the session or its user's level is gone. */
function stillAdmitted(db: Database, { sessionId, level }: Admission) {
  const levels = LEVELS.filter((each) => hasAccess(each, level));
  const admitted = db
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id))
    .where(and(eq(sessions.id, sessionId), inArray(users.secure_level, levels)));
  return statement(
    db,
    sql`SELECT json_extract('{}', iif(EXISTS ${admitted}, '$', ${sql.raw(`'${NOT_ADMITTED}'`)}))`,
  );
}

/**
 * DB for a request that changes something. The sender's level can be lowered after the session was checked,
 * so each commit checks in its transaction that the level still allows the change: of two admins who demote
 * each other at the same time, only the first succeeds.
 */
export function guardedDatabase(d1: D1Database, admission: Admission): Database {
  const db = database(d1);
  const guard = stillAdmitted(db, admission);
  function commit<T extends Statements>(statements: T): Promise<BatchResponse<T>>;
  async function commit(statements: Statements): Promise<unknown[]> {
    try {
      return (await db.batch([guard, ...statements])).slice(1);
    } catch (error) {
      return isConstraintViolation(error, NOT_ADMITTED) ? await admission.refuse() : Promise.reject(error);
    }
  }
  return Object.assign(db, { commit });
}

/**
 * PLANTS_DB for a request that changes something. Its transactions cannot read DB, so DB is checked before
 * each transaction. @param admit throws if the user is no longer admitted
 */
export function guardedPlantsDatabase(d1: D1Database, admit: () => Promise<void>): Database {
  const db = database(d1);
  const commit = async <T extends Statements>(statements: T) => {
    await admit();
    return await db.batch(statements);
  };
  return Object.assign(db, { commit });
}
