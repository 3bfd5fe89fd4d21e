import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { z } from 'zod';
import { localDatabaseId, localD1File, openLocalD1 } from '../../scripts/database/local-d1.ts';

const root = join(import.meta.dirname, '../..');

export const BRIDGE = { id: 'test-bridge', key: 'a key for tests that nobody else uses' };

const storedSchema = z.object({
  plant: z.string(),
  measured_at: z.int(),
  seq: z.number(),
  soil_moisture: z.int(),
  received_at: z.int(),
  refused_time: z.int().nullable(),
});
export type StoredReading = z.output<typeof storedSchema>;

const heartbeatSchema = z.object({
  broker_connected: z.int(),
  valid_until: z.int(),
  over_quota: z.string().nullable(),
});

export type Ingest = {
  url: string;
  readings: () => Promise<StoredReading[]>;
  count: () => Promise<number>;
  heartbeat: () => Promise<z.output<typeof heartbeatSchema> | null>;
  revokeKey: () => Promise<void>;
  /** Opens D1's file while the worker runs. */
  openFile: (options?: { readOnly?: boolean }) => DatabaseSync;
  /** Runs SQL, as another part of the product would. */
  run: (sql: string) => Promise<void>;
  stop: () => Promise<void>;
};

/** The bundle of the ingest worker from the last build. */
function builtIngest() {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const [, compatibilityDate = ''] =
    /^compatibility_date = "(.+)"$/m.exec(read('ingest/wrangler.toml')) ?? [];
  return { script: read('dist/ingest/app.js'), compatibilityDate };
}

function ingestOptions(folder: string, bindings: Record<string, string>) {
  return convertV4MiniflareOptions({
    ...builtIngest(),
    host: '127.0.0.1',
    port: 0,
    cf: false,
    modules: true,
    bindings,
    d1Databases: { PLANTS_DB: localDatabaseId('PLANTS_DB') },
    durableObjects: { LIVE: { className: 'Live', useSQLite: true } },
    resourcePersistencePath: join(folder, 'v3'),
    // Limits that no test reaches, because these tests check that nothing is lost.
    ratelimits: {
      READINGS_RATE: { namespace_id: '1002', simple: { limit: 1_000_000, period: 60 } },
      STRANGERS_RATE: { namespace_id: '1004', simple: { limit: 1_000_000, period: 60 } },
    },
  });
}

/** Makes D1's file, with the real migrations and one key for BRIDGE. */
function makeDatabase(folder: string): void {
  const file = localD1File(folder, 'PLANTS_DB');
  mkdirSync(dirname(file), { recursive: true });
  const db = new DatabaseSync(file);
  // Faster: nobody needs this file after a crash of the machine.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
  const migrations = join(root, 'migrations/plants');
  for (const name of readdirSync(migrations).sort())
    if (name.endsWith('.sql')) db.exec(readFileSync(join(migrations, name), 'utf8'));
  db.prepare('INSERT INTO bridge_keys (bridge_id, key, created_at) VALUES (?, ?, ?)').run(
    BRIDGE.id,
    BRIDGE.key,
    Date.now(),
  );
  db.close();
}

/**
 * Starts the real ingest worker in workerd, with the real migrations and one key for BRIDGE.
 * @param folder an empty folder for its D1
 */
export async function launchIngest(folder: string, bindings: Record<string, string> = {}): Promise<Ingest> {
  makeDatabase(folder);
  const worker = new Miniflare(ingestOptions(folder, bindings));
  const url = (await worker.ready).origin;
  const openFile: Ingest['openFile'] = (options) =>
    openLocalD1(folder, { ...options, database: 'PLANTS_DB' });
  // Tests read these very often. From the file this is faster than through the worker.
  const db = openFile({ readOnly: true });
  const findReadings = db.prepare(
    // Some numbers of a bridge are too large for a JavaScript integer; D1 returns them as a REAL, too.
    `SELECT plants.name AS plant, measured_at, CAST(seq AS REAL) AS seq, soil_moisture, received_at, refused_time
     FROM plant_readings JOIN plants ON plants.id = plant_id
     ORDER BY plant, measured_at, plant_readings.seq`,
  );
  const countReadings = db.prepare('SELECT count(*) AS n FROM plant_readings');
  const findHeartbeat = db.prepare('SELECT broker_connected, valid_until, over_quota FROM bridge_heartbeats');
  const run = async (sql: string) => {
    const through = await worker.getD1Database('PLANTS_DB');
    await through.prepare(sql).run();
  };
  return {
    url,
    readings: async () => z.array(storedSchema).parse(findReadings.all()),
    count: async () => Number(countReadings.get()?.['n']),
    heartbeat: async () => heartbeatSchema.nullable().parse(findHeartbeat.get() ?? null),
    revokeKey: () => run(`UPDATE bridge_keys SET revoked_at = ${Date.now()}`),
    openFile,
    run,
    stop: async () => {
      db.close();
      await worker.dispose();
    },
  };
}
