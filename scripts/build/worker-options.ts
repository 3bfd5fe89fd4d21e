/**
 * Writes down what each wrangler.toml says of its worker, as Miniflare takes it. The build runs it when one has changed:
 * wrangler takes a second and 100 MB for that, which no start of the local run has to pay again.
 */
import { writeFileSync } from 'node:fs';
import { unstable_getMiniflareWorkerOptions as optionsOf } from 'wrangler';
import { WORKER_OPTIONS, WRANGLER_FILES } from './build.ts';

const options = WRANGLER_FILES.map((path) => [path, optionsOf(path).workerOptions]);
writeFileSync(WORKER_OPTIONS, JSON.stringify(Object.fromEntries(options)));
