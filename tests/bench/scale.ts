/**
 * `npm run bench:scale`: what a day of readings writes to D1 and how much room it takes, and how the two answers that
 * grow with the laboratory do with 10 and 100 times as much. docs/scale.md reckons with it.
 */
import type { D1Database } from '@cloudflare/workers-types';
import { createHash, randomBytes } from 'node:crypto';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { buildChanged } from '../../scripts/build.ts';
import { migrate } from '../../scripts/migrate.ts';
import { apiWorker } from './api-worker.ts';
import { freePorts } from '../support/ports.ts';
import { median, printTable, type Row } from './table.ts';

const PLANTS = 20;
const MINUTE = 60_000;
const DAY = 86_400_000;
const START = Date.UTC(2026, 2, 2);

/** A reading a minute of each plant, in one batch a minute as a bridge without a backlog sends them. */
async function aDay(db: D1Database, day: number): Promise<{ written: number; size: number }> {
  const insert = db.prepare(
    `INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 1 FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`,
  );
  let written = 0;
  let size = 0;
  for (let hour = 0; hour < 24; hour++) {
    const batches = Array.from({ length: 60 }, (_, minute) => {
      const at = START + day * DAY + (hour * 60 + minute) * MINUTE;
      const rows = Array.from({ length: PLANTS }, (__, plant) => [
        plant + 1,
        at + plant * 1000,
        Math.floor(at / MINUTE) % 65_536,
        300 + ((minute * 7 + plant) % 400),
      ]);
      return insert.bind(JSON.stringify(rows));
    });
    for (const { meta } of await db.batch(batches)) {
      written += meta.rows_written;
      size = meta.size_after;
    }
  }
  return { written, size };
}

const STUDENTS = 500;
const ROUNDS = 20;
const token = randomBytes(32).toString('base64url');

/** Plants with a newest reading each, and students with two courses each: `times` as many as today. */
async function grow(db: D1Database, times: number): Promise<void> {
  const steps = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  const hash = createHash('sha256').update(token).digest('hex');
  const statements = [
    `${steps(PLANTS * times)} INSERT INTO plants (id, name) SELECT i, 'plant ' || i FROM n`,
    `INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
     SELECT id, ${START} + id, 0, 300 + id % 400, ${START} FROM plants`,
    `${steps(STUDENTS * times)} INSERT INTO students (id, name, department, tel, email)
     SELECT 20000000 + i, '한별하', '컴퓨터과학과', '010-0000-0000', i || '@univ.test' FROM n`,
    `INSERT INTO enrolments (student_id, year, semester, subject, no, school_year, type)
     SELECT id, 2026, 1, column1, 1, 3, '재학' FROM students, (VALUES ('임베디드 시스템'), ('운영체제'))`,
    "INSERT INTO users (id, sub, email, name, secure_level, created_at) VALUES (1, 's', 'a@lab.test', '서가람', 1, 0)",
    `INSERT INTO sessions (token_hash, user_id, user_agent, created_at, last_used_at)
     VALUES ('${hash}', 1, '', ${Date.now()}, ${Date.now()})`,
  ];
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

const scales = [1, 10, 100];
await buildChanged(['api worker']);
const ports = await freePorts(scales.length);
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    cf: false,
    workers: [
      {
        name: 'readings',
        modules: true,
        script: 'export class Live {}',
        compatibilityDate: '2026-10-23',
        d1Databases: ['DB'],
        durableObjects: { LIVE: { className: 'Live', useSQLite: true } },
      },
      ...scales.map((times, at) => ({
        ...apiWorker('readings'),
        name: `times-${times}`,
        d1Databases: { DB: `times-${times}` },
        unsafeDirectSockets: [{ host: '127.0.0.1', port: ports[at] ?? 0 }],
      })),
    ],
  }),
);
try {
  const db = await miniflare.getD1Database('DB', 'readings');
  await migrate(db, 'migrations');
  for (let plant = 1; plant <= PLANTS; plant++) {
    await db.prepare('INSERT INTO plants (id, name) VALUES (?, ?)').bind(plant, `plant ${plant}`).run();
  }
  const rows: Row[] = [];
  const readings = PLANTS * 24 * 60;
  let before = await aDay(db, 0);
  for (const day of [1, 2]) {
    const after = await aDay(db, day);
    rows.push(
      {
        figure: `day ${day}: rows written a reading`,
        value: (after.written / readings).toFixed(2),
        target: 'about 11',
      },
      {
        figure: `day ${day}: bytes a reading`,
        value: ((after.size - before.size) / readings).toFixed(0),
        target: 'no target',
      },
    );
    before = after;
  }
  const month = (before.written / readings) * PLANTS * 60 * 24 * 30;
  rows.push({
    figure: 'rows written in 30 days',
    value: `${(month / 1e6).toFixed(2)} million`,
    target: '≤ 50 million',
  });
  printTable(`${PLANTS} plants, a reading a minute each`, rows);

  const answers: Row[] = [];
  for (const [at, times] of scales.entries()) {
    const grown = await miniflare.getD1Database('DB', `times-${times}`);
    await migrate(grown, 'migrations');
    await grow(grown, times);
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
