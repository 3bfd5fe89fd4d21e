/**
 * `npm run bench -- plants [readings]`: GET /api/plants and its waterings over ten million readings beside the same over
 * ten thousand, and how many readings the ingest worker takes.
 */
import type { D1Database } from '@cloudflare/workers-types';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { database } from '#db/client';
import { writeRollups } from '../../worker/src/plants/rollups-data.ts';
import { saveWaterings } from '../../worker/src/plants/waterings-data.ts';
import { migrate } from '../../scripts/database/migrate.ts';
import { buildChangedParts } from '../../scripts/build/build.ts';
import { apiWorker } from './api-worker.ts';
import { freePorts } from '../support/ports.ts';
import { measureIngest } from './ingest-worker.ts';
import { median, printTable, type Row } from './table.ts';

const MANY = Number(process.argv[2] ?? 10_000_000);
const FEW = 10_000;
const PLANTS = 10;
const MINUTE = 60_000;
const DAY = 86_400_000;
const ROUNDS = 40;
/** Readings that one statement stores. */
const SLICE = 100_000;

const NOW = Math.floor(Date.now() / MINUTE) * MINUTE;
const token = randomBytes(32).toString('base64url');
const bridgeKey = randomBytes(32).toString('base64url');

async function benchPlants(folder: string): Promise<void> {
  const [many = 0, few = 0, ingest = 0] = await freePorts(3);
  const miniflare = new Miniflare(optionsOf(folder, { many, few, ingest }));
  try {
    await miniflare.ready;
    for (const [name, readings] of [
      ['many', MANY],
      ['few', FEW],
    ] as const) {
      const db = await miniflare.getD1Database('DB', name);
      const plants = await miniflare.getD1Database('PLANTS_DB', name);
      const started = performance.now();
      await seed(db, plants, readings);
      const seconds = ((performance.now() - started) / 1000).toFixed(0);
      console.log(`bench  ${readings} readings of ${PLANTS} plants stored and rolled up (${seconds} s)`);
    }
    printTable(`GET /api/plants, ${MANY} readings beside ${FEW}`, await measureRanges(many, few));
    const db = await miniflare.getD1Database('PLANTS_DB', 'ingest');
    await migrate(db, 'migrations/plants');
    await db
      .prepare("INSERT INTO bridge_keys (bridge_id, key, created_at) VALUES ('bench', ?, 0)")
      .bind(bridgeKey)
      .run();
    printTable('POST /readings, unique, in batches of 500', await measureIngest(ingest, bridgeKey));
  } finally {
    await miniflare.dispose();
  }
}

function optionsOf(folder: string, ports: { many: number; few: number; ingest: number }) {
  const api = apiWorker('ingest');
  const worker = (name: keyof typeof ports, scriptPath: string) => ({
    ...api,
    name,
    scriptPath,
    bindings: { ...api.bindings, LOG_LEVEL: 'error' },
    d1Databases: { DB: name, PLANTS_DB: `plants-${name}` },
    ratelimits: {
      ...api.ratelimits,
      READINGS_RATE: { namespace_id: '1', simple: { limit: 1_000_000, period: 60 as const } },
      STRANGERS_RATE: { namespace_id: '4', simple: { limit: 1_000_000, period: 60 as const } },
    },
    unsafeDirectSockets: [{ host: '127.0.0.1', port: ports[name] }],
  });
  return convertV4MiniflareOptions({
    cf: false,
    defaultPersistRoot: folder,
    workers: [
      worker('many', 'dist/api/app.js'),
      worker('few', 'dist/api/app.js'),
      worker('ingest', 'dist/ingest/app.js'),
    ],
  });
}

/** One reading a minute of each plant up to now: soil that dries for a week and is watered, with some noise. */
async function seed(db: D1Database, plants: D1Database, readings: number): Promise<void> {
  await migrate(db, 'migrations');
  await migrate(plants, 'migrations/plants');
  const each = readings / PLANTS;
  await plants.prepare('DELETE FROM plant_rollup_watermark').run();
  for (let plant = 1; plant <= PLANTS; plant++) {
    await plants.prepare('INSERT INTO plants (id, name) VALUES (?, ?)').bind(plant, `화분 ${plant}`).run();
    for (let newest = each; newest > 0; newest -= SLICE) {
      await plants
        .prepare(
          `WITH RECURSIVE steps (n) AS (
             SELECT ${newest} UNION ALL SELECT n - 1 FROM steps WHERE n > ${Math.max(1, newest - SLICE + 1)})
           INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
           SELECT ${plant}, ${NOW} - n * ${MINUTE}, n, 400 + (${each} - n) % 10080 / 30 + abs(random() % 8), ${NOW} - n * ${MINUTE}
           FROM steps`,
        )
        .run();
    }
  }
  await plants
    .prepare(
      `UPDATE plant_states SET readings = ${each}, last_measured_at = ${NOW - MINUTE}, last_seq = 1,
         last_soil_moisture = 500, last_received_at = ${NOW - MINUTE}`,
    )
    .run();
  const { steps } = await writeRollups(database(plants), Date.now(), Number.POSITIVE_INFINITY);
  let waterings = 0;
  for (let found = 1; found > 0; waterings += found)
    ({ waterings: found } = await saveWaterings(database(plants), Number.POSITIVE_INFINITY));
  console.log(`bench  rollups written in ${steps} steps, waterings found: ${waterings}`);
  const hash = createHash('sha256').update(token).digest('hex');
  await db.batch([
    db.prepare(
      "INSERT INTO users (id, sub, email, name, secure_level, created_at) VALUES (1, 's', 'a@lab.test', '가람', 1, 0)",
    ),
    db
      .prepare(
        "INSERT INTO sessions (token_hash, user_id, user_agent, created_at, last_used_at) VALUES (?, 1, '', ?, ?)",
      )
      .bind(hash, Date.now(), Date.now()),
  ]);
}

async function measureRanges(many: number, few: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [range, days] of [
    ['an hour', 1 / 24],
    ['a day', 1],
    ['a month', 30],
    ['two years', 730],
    ['everything', undefined],
  ] as const) {
    for (const plant of [undefined, '화분 3']) {
      const query = new URLSearchParams({
        ...(plant !== undefined && { plant }),
        ...(days !== undefined && { from: new Date(NOW - days * DAY - 1234).toISOString() }),
      });
      rows.push(
        await beside(`${range}, ${plant === undefined ? 'all plants' : 'one'}`, many, few, `?${query}`),
      );
    }
  }
  const others = [
    await beside('waterings of everything, all plants', many, few, '/waterings'),
    await beside('states', many, few, '/states'),
  ];
  rows.push(...others);
  return rows;
}

async function timed(port: number, path: string): Promise<{ ms: number; text: string }> {
  const started = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/api/plants${path}`, {
    headers: { cookie: `__Host-session=${token}` },
  });
  const text = await answer.text();
  const ms = performance.now() - started;
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return { ms, text };
}

/** In turn, so that whatever else the machine does falls on both. */
async function beside(figure: string, many: number, few: number, path: string): Promise<Row> {
  const times = new Map<number, number[]>([
    [many, []],
    [few, []],
  ]);
  let points = 0;
  let compressed = 0;
  for (let round = -3; round < ROUNDS; round++) {
    for (const [port, values] of times) {
      const { ms, text } = await timed(port, path);
      if (round >= 0) values.push(ms);
      if (round === 0 && port === many) {
        points = text.split('"plant"').length - 1;
        compressed = gzipSync(text).length;
      }
    }
  }
  const [ours = Number.NaN, small = Number.NaN] = [...times.values()].map(median);
  return {
    figure,
    value: `${ours.toFixed(1)} ms, ${small.toFixed(1)} ms, × ${(ours / small).toFixed(2)}; ${points} points, ${(compressed / 1024).toFixed(0)} KB`,
    target: 'p50 × ≤ 2, ≤ 2000, ≤ 100 KB',
  };
}

await buildChangedParts(['api worker', 'ingest worker']);
const folder = mkdtempSync(join(tmpdir(), 'cps-lab-bench-'));
try {
  await benchPlants(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
