import { join } from 'node:path';
import { convertV4MiniflareOptions } from 'miniflare';
import { localDatabaseId } from '../../scripts/database/local-d1.ts';

export type IngestScript = { script: string; compatibilityDate: string };

/**
 * Miniflare's options for an ingest worker on a D1 in the folder.
 * @param port 0 for any
 */
export function ingestOptions(
  { script, compatibilityDate }: IngestScript,
  folder: string,
  port: number,
  bindings: Record<string, string> = {},
) {
  return convertV4MiniflareOptions({
    host: '127.0.0.1',
    port,
    cf: false,
    modules: true,
    script,
    compatibilityDate,
    bindings,
    d1Databases: { PLANTS_DB: localDatabaseId('PLANTS_DB') },
    durableObjects: { LIVE: { className: 'Live', useSQLite: true } },
    resourcePersistencePath: join(folder, 'v3'),
    // No limit that a test could reach: what is tested here is that nothing is lost.
    ratelimits: {
      READINGS_RATE: { namespace_id: '1002', simple: { limit: 1_000_000, period: 60 } },
      STRANGERS_RATE: { namespace_id: '1004', simple: { limit: 1_000_000, period: 60 } },
    },
  });
}
