import { bindings, type Bound } from '#contract/bindings';
import { logLevel } from '#contract/variables';
import { configReader } from '#contract/worker-config';
import * as z from 'zod';

export const ingestVariables = z.object({ LOG_LEVEL: logLevel() });

export type Env = Bound<typeof bindings.ingest, { 'D1 database': D1Database; 'rate limit': RateLimit }> & {
  LOG_LEVEL?: string;
};

/** @throws Error naming every missing or invalid variable and binding */
export const readConfig = configReader(ingestVariables, bindings.ingest);
