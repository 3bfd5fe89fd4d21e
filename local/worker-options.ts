import { readFileSync } from 'node:fs';
import type { V4WorkerOptionsShape } from 'miniflare';
import * as z from 'zod';
import { WORKER_OPTIONS, WRANGLER_FILES, type WranglerFile } from '../scripts/build/build.ts';

/** Those that the local run looks into. */
const knownSchema = z.object({
  bindings: z.record(z.string(), z.string()).default({}),
  compatibilityDate: z.string(),
  cronTriggers: z.array(z.string()).default([]),
  d1Databases: z.record(z.string(), z.object({ id: z.string() })),
  serviceBindings: z.record(z.string(), z.object({ name: z.string() })),
});
type Others = Omit<V4WorkerOptionsShape, keyof z.output<typeof knownSchema>>;

const optionsSchema = z.record(z.enum(WRANGLER_FILES), z.custom<Others>().and(knownSchema));

/** What a wrangler.toml says of its worker, as Miniflare takes it and as it was at the last build. */
export const workerOptions = (path: WranglerFile) =>
  optionsSchema.parse(JSON.parse(readFileSync(WORKER_OPTIONS, 'utf8')))[path];
