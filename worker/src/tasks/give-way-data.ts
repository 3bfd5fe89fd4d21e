import { withMethods } from '#db/client';
import { homesIn, type Bindings } from '#db/homes';

/**
 * The bindings, with databases that let requests have their turn before each query. With D1 in workerd's own process, as it is
 * locally, a long row of queries keeps it from reading its connections until the last one is done. At Cloudflare it costs a
 * millisecond a query.
 */
export function givingWay<Env extends Bindings & { readonly DB: D1Database }>(env: Env): Env {
  const databases = [['DB', env.DB] as const, ...homesIn(env)];
  return { ...env, ...Object.fromEntries(databases.map(([name, d1]) => [name, patient(d1)])) };
}

/** A request takes several turns. */
const othersTurn = () => scheduler.wait(1);

function patient(d1: D1Database): D1Database {
  /** What is called, with the statement itself, which the batch wants. */
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const patientStatement = (statement: D1PreparedStatement): D1PreparedStatement => {
    const after =
      (name: 'all' | 'first' | 'raw' | 'run') =>
      async (...args: never[]): Promise<unknown> => {
        await othersTurn();
        return await Reflect.apply(statement[name], statement, args);
      };
    const called = withMethods(statement, {
      bind: (...values: unknown[]) => patientStatement(statement.bind(...values)),
      all: after('all'),
      first: after('first'),
      raw: after('raw'),
      run: after('run'),
    });
    originals.set(called, statement);
    return called;
  };
  return withMethods(d1, {
    prepare: (query: string) => patientStatement(d1.prepare(query)),
    batch: async (statements: D1PreparedStatement[]) => {
      await othersTurn();
      return await d1.batch(statements.map((one) => originals.get(one) ?? one));
    },
  });
}
