import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { z } from 'zod';
import { openLocalD1 } from '../../scripts/local-d1.ts';
import { ingestOptions, type IngestScript } from './ingest-options.ts';

const root = join(import.meta.dirname, '../..');

export const BRIDGE = { id: 'test-bridge', key: 'a key for tests that nobody else uses' };

export type StoredReading = {
  plant: string;
  measured_at: number;
  seq: number;
  soil_moisture: number;
  received_at: number;
  refused_time: number | null;
};

export type Ingest = {
  url: string;
  readings: () => Promise<StoredReading[]>;
  count: () => Promise<number>;
  heartbeat: () => Promise<{
    broker_connected: number;
    valid_until: number;
    over_quota: string | null;
  } | null>;
  revokeKey: () => Promise<void>;
  /** D1's own file, opened beside the running worker. */
  openFile: (options?: { readOnly?: boolean }) => DatabaseSync;
  /** Runs SQL, as another part of the product would. */
  run: (sql: string) => Promise<void>;
  stop: () => Promise<void>;
};

/** @param entry the worker's module, from the root */
export async function bundleIngest(entry = 'ingest/src/app.ts'): Promise<IngestScript> {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, 'ingest/wrangler.toml'));
  const built = await build({
    entryPoints: [join(root, entry)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    external: ['cloudflare:*'],
    target: 'es2024',
    logLevel: 'error',
  });
  return {
    script: built.outputFiles[0]?.text ?? '',
    compatibilityDate: z.string().parse(workerOptions.compatibilityDate),
  };
}

/**
 * The real ingest worker in workerd on a D1 in the folder, with the real migrations and one key for BRIDGE.
 * @param folder where it keeps its D1; an empty folder
 */
export async function launchIngest(folder: string): Promise<Ingest> {
  const worker = new Miniflare(ingestOptions(await bundleIngest(), folder, 0));
  const db = await worker.getD1Database('PLANTS_DB');
  for (const file of readdirSync(join(root, 'migrations/plants')).sort()) {
    if (!file.endsWith('.sql')) continue;
    const statements = readFileSync(join(root, 'migrations/plants', file), 'utf8').split(
      '--> statement-breakpoint',
    );
    await db.batch(statements.map((statement) => db.prepare(statement)));
  }
  await db
    .prepare('INSERT INTO bridge_keys (bridge_id, key, created_at) VALUES (?1, ?2, ?3)')
    .bind(BRIDGE.id, BRIDGE.key, Date.now())
    .run();
  return {
    url: (await worker.ready).origin,
    readings: async () => {
      const found = await db
        .prepare(
          `SELECT plants.name AS plant, measured_at, seq, soil_moisture, received_at, refused_time
           FROM plant_readings JOIN plants ON plants.id = plant_id ORDER BY plant, measured_at, seq`,
        )
        .all<StoredReading>();
      return found.results;
    },
    count: async () => (await db.prepare('SELECT count(*) AS n FROM plant_readings').first<number>('n')) ?? 0,
    heartbeat: () =>
      db.prepare('SELECT broker_connected, valid_until, over_quota FROM bridge_heartbeats').first(),
    revokeKey: async () => {
      await db.prepare('UPDATE bridge_keys SET revoked_at = ?1').bind(Date.now()).run();
    },
    openFile: (options) => openLocalD1(folder, { ...options, database: 'PLANTS_DB' }),
    run: async (sql) => {
      await db.prepare(sql).run();
    },
    stop: () => worker.dispose(),
  };
}
