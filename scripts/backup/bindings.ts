import type { D1Database, R2Bucket } from '@cloudflare/workers-types';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getPlatformProxy } from 'wrangler';
import type { RemoteDatabase } from '../deploy/remote-database.ts';
import { bucketOf, readParts } from '../deploy/wrangler-configs.ts';
import { DATABASES, type DatabaseName } from '../database/local-d1.ts';
import { world } from '../world.ts';
import type { Store } from './store.ts';

type Bindings = { bound: Record<DatabaseName, D1Database>; dispose: () => Promise<void> } & Pick<
  Store,
  'objectKeys' | 'readObject' | 'writeObject' | 'deleteObject'
>;

/** Databases and R2 of the deployment of that name, accessed through wrangler's login. */
export async function openBindings(
  deployment: string,
  databases: Record<DatabaseName, RemoteDatabase>,
): Promise<Bindings> {
  const { api } = readParts(deployment);
  // A separate configuration, without the site's other bindings.
  const place = mkdtempSync(join(tmpdir(), 'cps-lab-bindings-'));
  const configPath = join(place, 'wrangler.json');
  writeFileSync(
    configPath,
    JSON.stringify({
      name: 'cps-lab-backup',
      compatibility_date: api.compatibility_date,
      d1_databases: DATABASES.map((binding) => ({
        binding,
        database_name: databases[binding].name,
        database_id: databases[binding].id,
        remote: true,
      })),
      r2_buckets: [{ binding: 'FILES', bucket_name: bucketOf(api), remote: true }],
    }),
  );
  const open = world().openBindings ?? getPlatformProxy;
  const proxy = await open<{ FILES: R2Bucket } & Record<DatabaseName, D1Database>>({
    configPath,
    remoteBindings: true,
    persist: false,
  });
  const { FILES: files, ...bound } = proxy.env;
  return {
    bound,
    dispose: async () => {
      await proxy.dispose();
      rmSync(place, { recursive: true });
    },
    objectKeys: async () => {
      const keys: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await files.list(cursor === undefined ? {} : { cursor });
        keys.push(...page.objects.map(({ key }) => key));
        cursor = page.truncated ? page.cursor : undefined;
      } while (cursor !== undefined);
      return keys;
    },
    readObject: async (key) => {
      const object = await files.get(key);
      if (!object) return undefined;
      const content = new Uint8Array(await object.arrayBuffer());
      return { key, type: object.httpMetadata?.contentType ?? 'application/octet-stream', content };
    },
    writeObject: async ({ key, type, content }) => {
      await files.put(key, content, { httpMetadata: { contentType: type } });
    },
    deleteObject: (key) => files.delete(key),
  };
}
