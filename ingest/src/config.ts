import { bindings, type BoundEnv } from '#contract/bindings';
import { configReader, logLevelVariable } from '#contract/variables';
import type { LiveNamespace } from '#http/live-screens';
import * as z from 'zod';

export const ingestEnvSchema = z.object({ LOG_LEVEL: logLevelVariable() });

type Kinds = { 'D1 database': D1Database; 'Durable Object': LiveNamespace; 'rate limit': RateLimit };

export type Env = BoundEnv<typeof bindings.ingest, Kinds> & { LOG_LEVEL?: string };

/** @throws Error naming every missing or invalid variable and binding */
export const readConfig = configReader(ingestEnvSchema, bindings.ingest);
