import type { D1Database, R2Bucket } from '@cloudflare/workers-types';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getPlatformProxy, unstable_readConfig as readConfig } from 'wrangler';

/** Opens both databases and R2 of a data folder with the workers' runtime. */
export async function openLocalBindings(dataDir: string) {
  const { compatibility_date, d1_databases, r2_buckets } = readConfig({ config: 'wrangler.toml' });
  const place = mkdtempSync(join(tmpdir(), 'cps-lab-local-bindings-'));
  const configPath = join(place, 'wrangler.json');
  writeFileSync(configPath, JSON.stringify({ name: 'test', compatibility_date, d1_databases, r2_buckets }));
  const { env, dispose } = await getPlatformProxy<{ DB: D1Database; PLANTS_DB: D1Database; FILES: R2Bucket }>(
    {
      configPath,
      persist: { path: join(dataDir, 'v3') },
    },
  );
  return {
    d1: env.DB,
    plants: env.PLANTS_DB,
    files: env.FILES,
    dispose: async () => {
      await dispose();
      rmSync(place, { recursive: true });
    },
  };
}
