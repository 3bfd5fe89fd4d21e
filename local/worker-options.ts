import { readFileSync } from 'node:fs';
import type { V4WorkerOptionsShape } from 'miniflare';
import * as z from 'zod';
import { WORKER_OPTIONS, type WranglerFile } from '../scripts/build.ts';

const trackedSchema = z.looseObject({
  compatibilityDate: z.string(),
  cronTriggers: z.array(z.string()).default([]),
  d1Databases: z.record(z.string(), z.object({ id: z.string() })),
  serviceBindings: z.record(z.string(), z.object({ name: z.string() })),
});

/** What a wrangler.toml says of its worker, as Miniflare takes it and as it was at the last build. */
export function workerOptions(path: WranglerFile): V4WorkerOptionsShape & z.output<typeof trackedSchema> {
  const all: unknown = JSON.parse(readFileSync(WORKER_OPTIONS, 'utf8'));
  return trackedSchema.parse(z.record(z.string(), z.unknown()).parse(all)[path]);
}
