import { bindings, missingBindings, type Bound } from '#contract/bindings';
import { logLevel, readVariables } from '#contract/variables';
import * as z from 'zod';

/** The ingest worker's variables. */
export const ingestVariables = z.object({ LOG_LEVEL: logLevel() });

/** What wrangler.toml gives the ingest worker. */
export type Env = Bound<typeof bindings.ingest, { 'D1 database': D1Database; 'rate limit': RateLimit }> & {
  LOG_LEVEL?: string;
};

const checked = new WeakSet();

/**
 * Looks once an isolate whether everything is there.
 * @throws Error that names what is missing or wrong
 */
export function checkConfig(env: Env): void {
  if (checked.has(env)) return;
  const read = readVariables(ingestVariables, env);
  const problems = [...missingBindings(bindings.ingest, env), ...('problems' in read ? read.problems : [])];
  if (problems.length > 0) throw new Error(`wrong configuration: ${problems.join('; ')}`);
  checked.add(env);
}
