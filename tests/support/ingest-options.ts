import { join } from 'node:path';
import { convertV4MiniflareOptions } from 'miniflare';
import { readingsQueue } from '../../local/queue.ts';
import { homeNames, localDatabaseId } from '../../scripts/local-d1.ts';

/** Whether a queue stands between the ingest worker's signature and its database. */
export const isQueued = process.env['READINGS_QUEUE'] === 'on';

export type IngestScript = { script: string; compatibilityDate: string };

/**
 * Miniflare's options for an ingest worker on a D1 in the folder.
 * @param port 0 for any
 * @param homes databases among which groups of plants are divided
 */
export function ingestOptions(
  { script, compatibilityDate }: IngestScript,
  folder: string,
  port: number,
  bindings: Record<string, string> = {},
  homes = 1,
) {
  return convertV4MiniflareOptions({
    host: '127.0.0.1',
    port,
    cf: false,
    modules: true,
    script,
    compatibilityDate,
    bindings,
    d1Databases: Object.fromEntries(homeNames(homes).map((name) => [name, localDatabaseId(name)])),
    durableObjects: { LIVE: { className: 'Live', useSQLite: true } },
    resourcePersistencePath: join(folder, 'v3'),
    ...(isQueued && readingsQueue),
    // No limit that a test could reach: what is tested here is that nothing is lost.
    ratelimits: {
      READINGS_RATE: { namespace_id: '1002', simple: { limit: 1_000_000, period: 60 } },
      STRANGERS_RATE: { namespace_id: '1004', simple: { limit: 1_000_000, period: 60 } },
    },
  });
}
