import type { SecureLevel } from '#contract/access-levels';
import type { User } from '#contract/users';
import type { Database } from '#db/client';
import { accessLog, users } from '#db/schema';
import { and, asc, eq, sql, type SQL } from 'drizzle-orm';
import { logged } from '../access-log/data.ts';
import type { Actor } from '../lib/actor.ts';

const columns = {
  id: users.id,
  name: users.name,
  email: users.email,
  secure_level: users.secureLevel,
  univ_id: users.univId,
  univ_id_verified: sql<boolean>`${users.univIdVerifiedAt} IS NOT NULL`.mapWith(Boolean),
};

export async function listUsers(db: Database, by: Actor): Promise<User[]> {
  const detail = sql<string>`json_object('count', (SELECT count(*) FROM users))`;
  const [list] = await db.batch([
    db.select(columns).from(users).orderBy(asc(users.id)),
    logged(db, by, { action: 'read', subject: 'user', detail }),
  ]);
  return list;
}

/** What stood in the way: no such user, the last admin, or a number that is not the user's (any more). */
export type Refusal = 'unknown' | 'last-admin' | 'other-number';

export async function changeLevel(
  db: Database,
  by: Actor,
  id: number,
  level: SecureLevel,
): Promise<User | Refusal> {
  const detail = sql`json_object('secure_level', json_array(secure_level, CAST(${level} AS INTEGER)))`;
  const update = db.update(users).set({ secureLevel: level }).where(eq(users.id, id)).returning(columns);
  return await refusingLastAdmin(async () => {
    const [, [user]] = await db.batch([loggedOf(db, by, 'change', detail, eq(users.id, id)), update]);
    return user ?? 'unknown';
  });
}

/** Deletes the user and, with them, their sessions. */
export async function deleteUser(db: Database, by: Actor, id: number): Promise<'deleted' | Refusal> {
  const remove = db.delete(users).where(eq(users.id, id)).returning({ id: users.id });
  return await refusingLastAdmin(async () => {
    const [, [user]] = await db.batch([loggedOf(db, by, 'delete', sql`'{}'`, eq(users.id, id)), remove]);
    return user ? 'deleted' : 'unknown';
  });
}

/** Confirms that the number, which the admin saw as the user's, is theirs. */
export async function confirmUnivId(
  db: Database,
  by: Actor,
  id: number,
  univId: string,
): Promise<User | Refusal> {
  const isClaim = and(eq(users.id, id), eq(users.univId, univId)) ?? sql`false`;
  const update = db.update(users).set({ univIdVerifiedAt: Date.now() }).where(isClaim).returning(columns);
  const detail = sql`json_object('univ_id_verified', json_array(univ_id_verified_at IS NOT NULL, 1))`;
  const [, [user], known] = await db.batch([
    loggedOf(db, by, 'change', detail, isClaim),
    update,
    db.select({ id: users.id }).from(users).where(eq(users.id, id)),
  ]);
  return user ?? (known.length > 0 ? 'other-number' : 'unknown');
}

/** Takes the number from the user, so that somebody else can claim it. */
export async function releaseUnivId(db: Database, by: Actor, id: number): Promise<User | Refusal> {
  const [, [user]] = await db.batch([
    loggedOf(db, by, 'change', sql`json_object('univ_id', json_array(univ_id, NULL))`, eq(users.id, id)),
    db.update(users).set({ univId: null, univIdVerifiedAt: null }).where(eq(users.id, id)).returning(columns),
  ]);
  return user ?? 'unknown';
}

/** A row of the log about the user that the condition finds, with their values of that moment; none without a user. */
function loggedOf(db: Database, by: Actor, action: 'change' | 'delete', detail: SQL, whom: SQL) {
  const row = db
    .select({
      id: sql<number>`NULL`.as('log_id'),
      at: sql<number>`${Date.now()}`.as('log_at'),
      actorId: sql<number>`${by.id}`.as('log_actor_id'),
      address: sql<string>`${by.address}`.as('log_address'),
      action: sql<typeof action>`${action}`.as('log_action'),
      subject: sql<'user'>`'user'`.as('log_subject'),
      subjectId: sql<string>`CAST(${users.id} AS TEXT)`.as('log_subject_id'),
      detail: sql<string>`${detail}`.as('log_detail'),
      requestId: sql<string>`${by.requestId}`.as('log_request_id'),
    })
    .from(users)
    .where(whom);
  return db.insert(accessLog).select(row);
}

/** The database's own trigger keeps the last admin, so that no race can get past it. */
async function refusingLastAdmin<T>(write: () => Promise<T>): Promise<T | 'last-admin'> {
  try {
    return await write();
  } catch (error) {
    const causes = [error, error instanceof Error ? error.cause : undefined].map(String);
    if (causes.some((cause) => cause.includes('the last admin stays'))) return 'last-admin';
    throw error;
  }
}
