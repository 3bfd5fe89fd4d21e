import type { D1Database, D1PreparedStatement, D1Result } from '@cloudflare/workers-types';

/** D1's counts for all statements: rows written (with indexes), rows read, and bytes of the database. */
export type Counts = { written: number; size: number; read?: number };

/** The database, which adds the rows of each statement to `counts`. */
export function countedD1(db: D1Database, counts: Counts): D1Database {
  const noted = <Result extends D1Result>(result: Result): Result => {
    counts.written += result.meta.rows_written;
    counts.read = (counts.read ?? 0) + result.meta.rows_read;
    counts.size = result.meta.size_after;
    return result;
  };
  /** The real statement of each proxy: Drizzle calls the proxy, and `batch` needs the real statement. */
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const countedStatement = (statement: D1PreparedStatement): D1PreparedStatement => {
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
  };
  return new Proxy(db, {
    get(target, name) {
      if (name === 'prepare') return (query: string) => countedStatement(target.prepare(query));
      if (name === 'batch')
        return async (statements: D1PreparedStatement[]) =>
          (await target.batch(statements.map((one) => originals.get(one) ?? one))).map(noted);
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
