import type { V4WorkerOptionsShape } from 'miniflare';
import { unstable_getMiniflareWorkerOptions as wranglerOptions } from 'wrangler';

/**
 * The API worker as it is built, with what it asks for at its start.
 * @param neighbour the worker that stands where it expects the ingest worker, with a class `Live`
 */
export function apiWorker(neighbour: string) {
  const {
    modulesRules: _rules,
    rootPath: _root,
    ...options
  } = wranglerOptions('wrangler.toml').workerOptions;
  const shape: V4WorkerOptionsShape = options;
  return {
    ...shape,
    modules: true as const,
    scriptPath: 'dist/api/app.js',
    serviceBindings: { INGEST: neighbour },
    durableObjects: { LIVE: { className: 'Live', scriptName: neighbour, useSQLite: true } },
    bindings: {
      ...shape.bindings,
      GOOGLE_CLIENT_ID: 'client',
      GOOGLE_CLIENT_SECRET: 'secret',
      COOKIE_SECRETS: 'c'.repeat(64),
    },
  };
}
