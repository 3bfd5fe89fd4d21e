import { hasAccess, LEVELS } from '#contract/access-levels';
import { database, statement, isConstraintViolation, type Database, type Statements } from '#db/client';
import { sessions, users } from '#db/users';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { BatchResponse } from 'drizzle-orm/batch';

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
export function guardedPlants(d1: D1Database, admit: () => Promise<void>): Database {
  const db = database(d1);
  const commit = async <T extends Statements>(statements: T) => {
    await admit();
    return await db.batch(statements);
  };
  return Object.assign(db, { commit });
}
