import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1';
import * as schema from './schema.ts';

/** `$client` is D1 itself, for what reads better as plain SQL. */
export type Database = DrizzleD1Database<typeof schema> & { $client: D1Database };

export function database(d1: D1Database): Database {
  return drizzle(d1, { schema });
}
