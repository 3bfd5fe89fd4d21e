import { hasAccess, LEVELS } from '#contract/access-levels';
import { wasRejected, withMethods } from '#db/client';

const NOT_ADMITTED = 'not admitted any more';

/** Fails in SQLite, and takes its transaction with it, once the session or its user's level is gone. */
const GUARD = `SELECT json_extract('{}', iif(EXISTS (
    SELECT 1 FROM sessions JOIN users ON users.id = sessions.user_id
    WHERE sessions.id = ? AND users.secure_level IN (SELECT value FROM json_each(?))), '$', '${NOT_ADMITTED}'))`;

const IS_READ = /^\s*select\b/i;

type Admission = {
  sessionId: number;
  /** The level that the route asks for. */
  level: number;
  /** Says why somebody is not admitted. @throws ApiError */
  refuse: () => Promise<never>;
};

type Batch = <T>(statements: D1PreparedStatement[]) => Promise<D1Result<T>[]>;

/** The database, each of whose transactions goes through `batch`; what only reads does not. */
function changedThrough(d1: D1Database, batch: Batch): D1Database {
  const plain = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const plainly = <T>(statements: D1PreparedStatement[]) =>
    batch<T>(statements.map((each) => plain.get(each) ?? each));

  /** Each statement that runs alone and changes something becomes a batch of its own. */
  function wrapped(statement: D1PreparedStatement): D1PreparedStatement {
    const only = async () => {
      const [result] = await plainly<Record<string, unknown>>([statement]);
      if (!result) throw new Error('a statement has no result');
      return result;
    };
    // The columns of a RETURNING have a name of their own each, so none is lost on the way.
    const rows = async () => (await only()).results.map((row) => Object.values(row));
    const bind = (...values: unknown[]) => wrapped(statement.bind(...values));
    const proxy = withMethods(statement, { bind, run: only, all: only, raw: rows });
    plain.set(proxy, statement);
    return proxy;
  }

  const prepare = (query: string) => (IS_READ.test(query) ? d1.prepare(query) : wrapped(d1.prepare(query)));
  return withMethods(d1, { batch: plainly, prepare });
}

/**
 * DB for a request that changes something. In each transaction it asks again whether its sender may do that:
 * between the look at the session and the write a level can be lowered, and of two admins who demote one another the
 * faster one would win.
 */
export function guardedDatabase(d1: D1Database, { sessionId, level, refuse }: Admission): D1Database {
  const levels = JSON.stringify(LEVELS.filter((each) => hasAccess(each, level)));
  const guard = d1.prepare(GUARD).bind(sessionId, levels);
  return changedThrough(d1, async <T>(statements: D1PreparedStatement[]) => {
    try {
      return (await d1.batch<T>([guard, ...statements])).slice(1);
    } catch (error) {
      return wasRejected(error, NOT_ADMITTED) ? await refuse() : Promise.reject(error);
    }
  });
}

/**
 * PLANTS_DB for a request that changes something. Its transactions cannot look into DB, so DB is asked right before each.
 * @param admit throws for whom is not admitted any more
 */
export function guardedPlants(d1: D1Database, admit: () => Promise<void>): D1Database {
  return changedThrough(d1, async <T>(statements: D1PreparedStatement[]) => {
    await admit();
    return await d1.batch<T>(statements);
  });
}
