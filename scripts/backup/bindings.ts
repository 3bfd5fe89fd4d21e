import type { D1Database, R2Bucket } from '@cloudflare/workers-types';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getPlatformProxy, unstable_readConfig as readConfig } from 'wrangler';
import * as z from 'zod';
import { world } from '../world.ts';
import type { Store } from './store.ts';

const bindingsSchema = z.object({
  compatibility_date: z.string(),
  d1_databases: z.array(z.object({ binding: z.string(), database_name: z.string() })),
  r2_buckets: z.array(z.object({ binding: z.string(), bucket_name: z.string() })),
});

type Bindings = { bound: (name: string) => D1Database | undefined; dispose: () => Promise<void> } & Pick<
  Store,
  'objectKeys' | 'readObject' | 'writeObject' | 'deleteObject'
>;

/** By the names of bindings. */
type Ids = Readonly<Record<string, string>>;

/** The API worker's databases and R2 as deployed, accessed through wrangler's login. */
export async function openBindings(ids: Ids): Promise<Bindings> {
  const { compatibility_date, d1_databases, r2_buckets } = bindingsSchema.parse(
    readConfig({ config: 'wrangler.toml' }),
  );
  // A separate configuration, without the site's other bindings.
  const place = mkdtempSync(join(tmpdir(), 'cps-lab-bindings-'));
  const configPath = join(place, 'wrangler.json');
  writeFileSync(
    configPath,
    JSON.stringify({
      name: 'cps-lab-backup',
      compatibility_date,
      d1_databases: d1_databases.flatMap(({ binding, database_name }) => {
        const database_id = ids[binding];
        return database_id === undefined ? [] : [{ binding, database_name, database_id, remote: true }];
      }),
      r2_buckets: r2_buckets.map(({ binding, bucket_name }) => ({ binding, bucket_name, remote: true })),
    }),
  );
  const open = world().openBindings ?? getPlatformProxy;
  const proxy = await open<{ FILES: R2Bucket } & Record<string, D1Database | undefined>>({
    configPath,
    remoteBindings: true,
    persist: false,
  });
  const { FILES: files, ...databases } = proxy.env;
  return {
    bound: (name) => databases[name],
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
