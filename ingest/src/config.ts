import { bindings, type Bound } from '#contract/bindings';
import { logLevel } from '#contract/variables';
import { configReader } from '#contract/worker-config';
import * as z from 'zod';

/** The ingest worker's variables. */
export const ingestVariables = z.object({ LOG_LEVEL: logLevel() });

/** What wrangler.toml gives the ingest worker. */
export type Env = Bound<typeof bindings.ingest, { 'D1 database': D1Database; 'rate limit': RateLimit }> & {
  LOG_LEVEL?: string;
};

/** The variables of `env`. @throws Error that names everything that is missing or wrong, bindings too */
export const readConfig = configReader(ingestVariables, bindings.ingest);
