import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { GetPlatformProxyOptions } from 'wrangler';
import * as z from 'zod';
import { miniflareObjectFile } from '../../scripts/database/local-d1.ts';
import type { CommandEnvironment } from '../../scripts/command-environment.ts';

/*
 * What a pretended Cloudflare account holds, in a folder: more than one process may work on it. D1 and R2 are files where the
 * workers' own runtime looks for them, so that bindings and exports are the real ones.
 */

const workerSchema = z.object({
  /** By name, as the hash of the value. */
  secrets: z.record(z.string(), z.string()).default({}),
  vars: z.record(z.string(), z.string()).optional(),
  /** Classes of Durable Objects. */
  classes: z.array(z.string()).default([]),
  /** Oldest first. */
  deployed: z.array(z.object({ version: z.string(), at: z.string() })).default([]),
});
const accountSchema = z.object({
  /** The address that stands for everything deployed. */
  address: z.string(),
  accounts: z.array(z.object({ id: z.string(), name: z.string() })),
  databases: z.array(z.object({ uuid: z.string(), name: z.string() })).default([]),
  buckets: z.array(z.string()).default([]),
  projects: z.record(z.string(), z.array(z.string())).default({}),
  workers: z.record(z.string(), workerSchema).default({}),
});
export type Account = z.output<typeof accountSchema>;
export type Worker = z.output<typeof workerSchema>;

const fileOf = (folder: string) => join(folder, 'account.json');

export const readAccount = (folder: string): Account =>
  accountSchema.parse(JSON.parse(readFileSync(fileOf(folder), 'utf8')));

export const writeAccount = (folder: string, account: z.input<typeof accountSchema>): void =>
  writeFileSync(fileOf(folder), JSON.stringify(account, undefined, 2));

const DATABASE_CLASS = 'miniflare-D1DatabaseObject';

const resources = (folder: string) => join(folder, 'v3');

/** Opens a database, which is made where there is none; others may have it open. */
export function openDatabaseFile(folder: string, uuid: string): DatabaseSync {
  const file = join(resources(folder), 'd1', DATABASE_CLASS, miniflareObjectFile(DATABASE_CLASS, uuid));
  mkdirSync(dirname(file), { recursive: true });
  const db = new DatabaseSync(file, { timeout: 5000 });
  // The data need not survive a power failure.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
  return db;
}

/** A database in the words of `wrangler d1 export`. */
export async function exported(folder: string, uuid: string): Promise<string> {
  // Loaded here, because a call of wrangler-program.ts would load it too.
  const { convertV4MiniflareOptions, Miniflare } = await import('miniflare');
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: 'export default {}',
      resourcePersistencePath: resources(folder),
      d1Databases: { DATABASE: uuid },
    }),
  );
  try {
    const d1 = await miniflare.getD1Database('DATABASE');
    const [lines = []] = await d1.prepare('PRAGMA miniflare_d1_export(?,?,?);').bind(0, 0).raw<string[]>();
    return lines.join('\n');
  } finally {
    await miniflare.dispose();
  }
}

/** Opens what wrangler would bind of Cloudflare's. */
export const bindingsOf =
  (folder: string): NonNullable<CommandEnvironment['openBindings']> =>
  async <Env, Cf extends Record<string, unknown>>(options?: GetPlatformProxyOptions) => {
    const { getPlatformProxy } = await import('wrangler');
    const persist = { path: resources(folder) };
    return await getPlatformProxy<Env, Cf>({ ...options, remoteBindings: false, persist });
  };
