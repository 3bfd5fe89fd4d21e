import type { D1Database, D1PreparedStatement, D1Result, ExecutionContext } from '@cloudflare/workers-types';
import { database } from '#db/client';
import { app as ingest } from '../../ingest/src/app.ts';
import type { Env } from '../../ingest/src/config.ts';
import { writeRollups } from '../../worker/src/plants/rollups-data.ts';

/* The ingest worker with a D1 that counts the rows it writes, and the task that writes rollups beside it. */

export { Live } from '../../ingest/src/app.ts';

let written = 0;
let size = 0;

function noted<Result extends D1Result>(result: Result): Result {
  written += result.meta.rows_written;
  size = result.meta.size_after;
  return result;
}

/** Of a statement what Drizzle calls; the batch gets the statement itself. */
const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
function countedStatement(statement: D1PreparedStatement): D1PreparedStatement {
  const counted = new Proxy(statement, {
    get(target, name) {
      if (name === 'bind') return (...values: unknown[]) => countedStatement(target.bind(...values));
      if (name === 'run' || name === 'all') return async () => noted(await target.all());
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  originals.set(counted, statement);
  return counted;
}

const countedDatabase = (db: D1Database): D1Database =>
  new Proxy(db, {
    get(target, name) {
      if (name === 'prepare') return (query: string) => countedStatement(target.prepare(query));
      if (name === 'batch')
        return async (statements: D1PreparedStatement[]) =>
          (await target.batch(statements.map((one) => originals.get(one) ?? one))).map(noted);
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

export default {
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const db = countedDatabase(env.PLANTS_DB);
    if (pathname === '/rolled-up') await writeRollups(database(db), Number(searchParams.get('now')));
    else if (pathname !== '/written') return await ingest.fetch(request, { ...env, PLANTS_DB: db }, ctx);
    return Response.json({ written, size });
  },
};
