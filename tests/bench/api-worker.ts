import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptionsShape } from 'miniflare';
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

/**
 * Starts it beside the ingest worker as it is built.
 * @param port where `runTask` finds it
 * @param folder for what it stores
 */
export const startApi = (port: number, folder: string, api = apiWorker('ingest')): Miniflare =>
  new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      port,
      unsafeTriggerHandlers: true,
      log: new Log(LogLevel.WARN),
      defaultPersistRoot: folder,
      workers: [
        { ...api, name: 'api' },
        { ...api, name: 'ingest', scriptPath: 'dist/ingest/app.js' },
      ],
    }),
  );

/** The schedule of the daily task. */
export const NIGHTLY = '17 18 * * *';

/**
 * Runs a scheduled task of Miniflare's first worker, by a connection of its own: Miniflare's `scheduled()` loses the one that it has kept
 * when a task takes a quarter of a minute.
 * @param port Miniflare's, with `unsafeTriggerHandlers`
 * @throws Error when the task failed
 */
export async function runTask(port: number, cron: string): Promise<void> {
  const url = `http://127.0.0.1:${port}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(cron)}`;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent: false }, resolve).once('error', reject);
  });
  const outcome = await text(answer);
  if (outcome !== 'ok') throw new Error(`the task ended with ${outcome}`);
}
