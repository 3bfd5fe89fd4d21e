import { ADMIN, type SecureLevel } from '#contract/access-levels';
import type { User } from '#contract/users';
import { isConstraintViolation, type Database } from '#db/client';
import { users } from '#db/users';
import { toInt, jsonObject, deletedRowLogDetail } from '#db/sql';
import { and, asc, eq, exists, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { logAction, logPerRow } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';
import { removeEndedSessions } from '../session/data.ts';

const columns = {
  id: users.id,
  name: users.name,
  email: users.email,
  secure_level: users.secure_level,
  univ_id: users.univ_id,
  univ_id_verified: sql<boolean>`${users.univ_id_verified_at} IS NOT NULL`.mapWith(Boolean),
};

export async function listUsers(db: Database, by: Actor): Promise<User[]> {
  const detail = jsonObject({ count: db.$count(users) });
  const [list] = await db.commit([
    db.select(columns).from(users).orderBy(asc(users.id)),
    logAction(db, by, { action: 'read', subject: 'user', detail }),
  ]);
  return list;
}

/**
 * Why a change was refused: its author is no longer an admin, there is no such user, it is the last admin, or
 * the number is not (or no longer) the user's.
 */
export type UserChangeRefusal = 'no-admin' | 'unknown' | 'last-admin' | 'other-number';

export async function changeLevel(
  db: Database,
  by: Actor,
  id: number,
  level: SecureLevel,
): Promise<User | UserChangeRefusal> {
  const isIt = byAdmin(db, by, eq(users.id, id));
  const detail = jsonObject({ secure_level: sql`json_array(${users.secure_level}, ${toInt(level)})` });
  const update = db.update(users).set({ secure_level: level }).where(isIt).returning(columns);
  return await refusingLastAdmin(async () => {
    const [actors, , , [user]] = await db.commit([
      selectAdmin(db, by),
      loggedOf(db, by, 'change', detail, isIt),
      removeEndedSessions(db, id, Date.now()),
      update,
    ]);
    return user ?? refusalOf(actors, 'unknown');
  });
}

export async function deleteUser(
  db: Database,
  by: Actor,
  id: number,
): Promise<'deleted' | UserChangeRefusal> {
  const isIt = byAdmin(db, by, eq(users.id, id));
  const remove = db.delete(users).where(isIt).returning({ id: users.id });
  return await refusingLastAdmin(async () => {
    const [actors, , [user]] = await db.commit([
      selectAdmin(db, by),
      loggedOf(db, by, 'delete', sql`'{}'`, isIt),
      remove,
    ]);
    return user ? 'deleted' : refusalOf(actors, 'unknown');
  });
}

/** Marks the user's university number as verified, if it is still the number that the admin saw. */
export async function confirmUnivId(
  db: Database,
  by: Actor,
  id: number,
  univId: string,
): Promise<User | UserChangeRefusal> {
  const isClaim = byAdmin(db, by, and(eq(users.id, id), eq(users.univ_id, univId)));
  const update = db.update(users).set({ univ_id_verified_at: Date.now() }).where(isClaim).returning(columns);
  const wasVerified = sql`${users.univ_id_verified_at} IS NOT NULL`;
  const detail = jsonObject({ univ_id_verified: sql`json_array(${wasVerified}, 1)` });
  const [actors, , [user], known] = await db.commit([
    selectAdmin(db, by),
    loggedOf(db, by, 'change', detail, isClaim),
    update,
    db.select({ id: users.id }).from(users).where(eq(users.id, id)),
  ]);
  return user ?? refusalOf(actors, known.length > 0 ? 'other-number' : 'unknown');
}

/** Removes the user's number, so that somebody else can claim it. */
export async function releaseUnivId(db: Database, by: Actor, id: number): Promise<User | UserChangeRefusal> {
  const isIt = byAdmin(db, by, eq(users.id, id));
  const [actors, , [user]] = await db.commit([
    selectAdmin(db, by),
    loggedOf(db, by, 'change', deletedRowLogDetail({ univ_id: users.univ_id }), isIt),
    db.update(users).set({ univ_id: null, univ_id_verified_at: null }).where(isIt).returning(columns),
  ]);
  return user ?? refusalOf(actors, 'unknown');
}

const admins = alias(users, 'admins');

/** The actor, if they are an admin at this moment. */
const selectAdmin = (db: Database, by: Actor) =>
  db
    .select({ id: admins.id })
    .from(admins)
    .where(and(sql`${admins.id} = ${by.id}`, eq(admins.secure_level, ADMIN)));

/**
 * Users that match the condition, if the actor is still an admin at the time of the write: the actor may have
 * been demoted after the request was checked.
 */
const byAdmin = (db: Database, by: Actor, whom: SQL | undefined): SQL =>
  sql`${whom} AND ${exists(selectAdmin(db, by))}`;

const refusalOf = (actors: unknown[], otherwise: UserChangeRefusal): UserChangeRefusal =>
  actors.length === 0 ? 'no-admin' : otherwise;

/** Logs an action on the matching user with their current values; writes nothing if there is no such user. */
function loggedOf(db: Database, by: Actor, action: 'change' | 'delete', detail: SQL, whom: SQL) {
  const subject_id = sql`CAST(${users.id} AS TEXT)`;
  return logPerRow(db, by, { action, subject: 'user', subject_id, detail }, sql`FROM ${users} WHERE ${whom}`);
}

/** A trigger protects the last admin: otherwise concurrent requests could remove both of the last two. */
async function refusingLastAdmin<T>(write: () => Promise<T>): Promise<T | 'last-admin'> {
  try {
    return await write();
  } catch (error) {
    if (isConstraintViolation(error, 'the last admin stays')) return 'last-admin';
    throw error;
  }
}
