/**
 * Writes the settings of each wrangler.toml in Miniflare's format. The build does this when a file has
 * changed: wrangler needs a second and 100 MB, which would be too much for each start of the local run.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { V4WorkerOptionsShape } from 'miniflare';
import * as z from 'zod';
import { WORKER_OPTIONS, WRANGLER_FILES, type WranglerFile } from './build.ts';

/** The settings that the local run reads. */
const knownSchema = z.object({
  bindings: z.record(z.string(), z.string()).default({}),
  compatibilityDate: z.string(),
  cronTriggers: z.array(z.string()).default([]),
  d1Databases: z.record(z.string(), z.object({ id: z.string() })),
  ratelimits: z.record(
    z.string(),
    z.object({
      namespace_id: z.string(),
      simple: z.object({ limit: z.number(), period: z.literal([10, 60]) }),
    }),
  ),
  serviceBindings: z.record(z.string(), z.object({ name: z.string() })),
});
type Others = Omit<V4WorkerOptionsShape, keyof z.output<typeof knownSchema>>;

const optionsSchema = z.record(z.enum(WRANGLER_FILES), z.custom<Others>().and(knownSchema));

/** A worker's settings, as the last build has written them. */
export const workerOptions = (path: WranglerFile) =>
  optionsSchema.parse(JSON.parse(readFileSync(WORKER_OPTIONS, 'utf8')))[path];

if (import.meta.main) {
  const { unstable_getMiniflareWorkerOptions: optionsOf } = await import('wrangler');
  const options = WRANGLER_FILES.map((path) => [path, optionsOf(path).workerOptions]);
  writeFileSync(WORKER_OPTIONS, JSON.stringify(Object.fromEntries(options)));
}
