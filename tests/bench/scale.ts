/**
 * `npm run bench -- scale`: what a day of readings writes to D1 by the ingest worker and the task of the rollups, what a
 * month of it costs and how much room it takes, and how the two answers that grow with the laboratory do with 10 and 100 times as much. docs/scale.md reckons with it.
 */
import type { D1Database } from '@cloudflare/workers-types';
import { createHash, randomBytes } from 'node:crypto';
import { build } from 'esbuild';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import * as z from 'zod';
import { buildChangedParts } from '../../scripts/build/build.ts';
import { migrate } from '../../scripts/database/migrate.ts';
import { apiWorker } from './api-worker.ts';
import { postBatch } from './ingest-worker.ts';
import { freePorts } from '../support/ports.ts';
import { median, printTable, type Row } from './table.ts';

const PLANTS = 20;
const MINUTE = 60_000;
const DAY = 86_400_000;
/** The day before yesterday, so that what is sent lies in the past. */
const START = Math.floor(Date.now() / DAY - 2) * DAY;

const key = randomBytes(32).toString('base64url');

const countSchema = z.object({ written: z.int(), size: z.int() });
const ask = async (port: number, path: string) =>
  countSchema.parse(await (await fetch(`http://127.0.0.1:${port}${path}`)).json());

/** A reading a minute of each plant, whose soil dries, told to the ingest worker, and every five minutes the task. */
async function aDay(port: number, start: number, batch: number): Promise<{ written: number; size: number }> {
  const before = await ask(port, '/written');
  let waiting: object[] = [];
  for (let minute = 0; minute < 1440; minute++) {
    for (let plant = 0; plant < PLANTS; plant++) {
      const at = start + minute * MINUTE + plant * 1000;
      const datetime = new Date(at).toISOString();
      const soil_moisture = 400 + Math.floor(minute / 30) + ((minute * 7 + plant) % 8);
      waiting.push({ plant: `plant ${plant}`, datetime, soil_moisture, seq: minute, received_at: datetime });
      if (waiting.length < batch) continue;
      await postBatch(port, key, JSON.stringify({ readings: waiting }), waiting.length);
      waiting = [];
    }
    if (minute % 5 === 4) await ask(port, `/rolled-up?now=${start + (minute + 1) * MINUTE}`);
  }
  if (waiting.length > 0) await postBatch(port, key, JSON.stringify({ readings: waiting }), waiting.length);
  const after = await ask(port, `/rolled-up?now=${start + DAY}`);
  return { written: after.written - before.written, size: after.size };
}

const STUDENTS = 500;
const ROUNDS = 20;
const token = randomBytes(32).toString('base64url');

/** Plants with a newest reading each, and students with two courses each: `times` as many as today. */
async function grow(db: D1Database, plants: D1Database, times: number): Promise<void> {
  const steps = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  const hash = createHash('sha256').update(token).digest('hex');
  const ofPlants = [
    `${steps(PLANTS * times)} INSERT INTO plants (id, name) SELECT i, 'plant ' || i FROM n`,
    `INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
     SELECT id, ${START} + id, 0, 300 + id % 400, ${START} FROM plants`,
    `UPDATE plant_states SET readings = 1, last_measured_at = ${START} + plant_id, last_seq = 0,
       last_soil_moisture = 300 + plant_id % 400, last_received_at = ${START}`,
  ];
  const statements = [
    `${steps(STUDENTS * times)} INSERT INTO students (id, name, department, tel, email)
     SELECT 20000000 + i, '한별하', '컴퓨터과학과', '010-0000-0000', i || '@univ.test' FROM n`,
    `INSERT INTO enrolments (student_id, year, semester, subject, no, school_year, type)
     SELECT id, 2026, 1, column1, 1, 3, '재학' FROM students, (VALUES ('임베디드 시스템'), ('운영체제'))`,
    "INSERT INTO users (id, sub, email, name, secure_level, created_at) VALUES (1, 's', 'a@lab.test', '서가람', 1, 0)",
    `INSERT INTO sessions (token_hash, user_id, user_agent, created_at, last_used_at)
     VALUES ('${hash}', 1, '', ${Date.now()}, ${Date.now()})`,
  ];
  await plants.batch(ofPlants.map((statement) => plants.prepare(statement)));
  await db.batch(statements.map((statement) => db.prepare(statement)));
}

async function measure(figure: string, port: number, path: string): Promise<Row> {
  const times: number[] = [];
  let text = '';
  for (let round = -3; round < ROUNDS; round++) {
    const started = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, {
      headers: { cookie: `__Host-session=${token}` },
    });
    text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 200)}`);
    if (round >= 0) times.push(performance.now() - started);
  }
  const kilobytes = (Buffer.byteLength(text) / 1024).toFixed(0);
  return { figure, value: `p50 ${median(times).toFixed(0)} ms, ${kilobytes} KB`, target: 'no target' };
}

const ways = [
  { name: 'single', batch: 1, target: 2.5 },
  { name: 'batch', batch: 500, target: 1.5 },
];
const scales = [1, 10, 100];
await buildChangedParts(['api worker']);
const ports = await freePorts(scales.length + ways.length);
const counted = await build({
  entryPoints: ['tests/bench/counted-ingest.ts'],
  bundle: true,
  write: false,
  format: 'esm',
  target: 'es2024',
  external: ['cloudflare:workers'],
  logLevel: 'error',
});
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    cf: false,
    workers: [
      ...ways.map(({ name }, at) => ({
        name,
        modules: true as const,
        script: counted.outputFiles[0]?.text ?? '',
        compatibilityDate: '2026-10-23',
        d1Databases: { PLANTS_DB: name },
        durableObjects: { LIVE: { className: 'Live', useSQLite: true } },
        ratelimits: {
          READINGS_RATE: { namespace_id: `2${at}`, simple: { limit: 1_000_000, period: 60 as const } },
          STRANGERS_RATE: { namespace_id: `4${at}`, simple: { limit: 1_000_000, period: 60 as const } },
        },
        unsafeDirectSockets: [{ host: '127.0.0.1', port: ports[scales.length + at] ?? 0 }],
      })),
      ...scales.map((times, at) => ({
        ...apiWorker('single'),
        name: `times-${times}`,
        d1Databases: { DB: `times-${times}`, PLANTS_DB: `plants-times-${times}` },
        unsafeDirectSockets: [{ host: '127.0.0.1', port: ports[at] ?? 0 }],
      })),
    ],
  }),
);
try {
  const rows: Row[] = [];
  const prices: number[] = [];
  const readings = PLANTS * 24 * 60;
  for (const [at, { name, batch, target }] of ways.entries()) {
    const db = await miniflare.getD1Database('PLANTS_DB', name);
    await migrate(db, 'migrations/plants');
    await db.batch([
      db.prepare("INSERT INTO bridge_keys (bridge_id, key, created_at) VALUES ('bench', ?, 0)").bind(key),
      db.prepare('UPDATE plant_rollup_watermark SET until = ?').bind(START),
    ]);
    const port = ports[scales.length + at] ?? 0;
    await ask(port, `/rolled-up?now=${START}`);
    const { size } = await ask(port, '/written');
    const day = await aDay(port, START, batch);
    prices.push(day.written / readings);
    rows.push(
      {
        figure: `in requests of ${batch}: rows written a reading`,
        value: (day.written / readings).toFixed(3),
        target: `≤ ${target}`,
      },
      {
        figure: `in requests of ${batch}: bytes a reading`,
        value: ((day.size - size) / readings).toFixed(0),
        target: 'no target',
      },
    );
  }
  const [single = Number.NaN, batch = Number.NaN] = prices;
  console.log(`rows written a reading: ${single.toFixed(2)} ${batch.toFixed(2)}`);
  for (const boards of [20, 200, 2000, 50_000]) {
    const price = (each: number) => {
      const month = (each * boards * 60 * 24 * 30) / 1e6;
      return `${month.toFixed(1)} million rows, ${Math.max(0, month - 50).toFixed(0)} dollars`;
    };
    const value = `${price(single)}; in batches ${price(batch)}`;
    rows.push({ figure: `${boards} boards, a month beyond the paid plan's 5`, value, target: 'no target' });
  }
  printTable(`${PLANTS} plants, a reading a minute each`, rows);

  const answers: Row[] = [];
  for (const [at, times] of scales.entries()) {
    const grown = await miniflare.getD1Database('DB', `times-${times}`);
    await migrate(grown, 'migrations');
    const plants = await miniflare.getD1Database('PLANTS_DB', `times-${times}`);
    await migrate(plants, 'migrations/plants');
    await grow(grown, plants, times);
    const port = ports[at] ?? 0;
    answers.push(
      await measure(`${PLANTS * times} plants: GET /api/plants/states`, port, '/plants/states'),
      await measure(`${STUDENTS * times} students: GET /api/students`, port, '/students'),
    );
  }
  printTable('Answers that grow', answers);
} finally {
  await miniflare.dispose();
}
