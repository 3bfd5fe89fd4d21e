/** `npm run bench -- api`: the long lists beside a worker that does nothing but return the same rows. */
import { deepStrictEqual } from 'node:assert/strict';
import { Agent, get, type IncomingHttpHeaders } from 'node:http';
import { createHash, randomBytes } from 'node:crypto';
import { build } from 'esbuild';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { buildChanged } from '../../scripts/build/build.ts';
import { migrate } from '../../scripts/database/migrate.ts';
import { apiWorker } from './api-worker.ts';
import { freePorts } from '../support/ports.ts';
import { printTable, quantile, type Row } from './table.ts';

const STUDENTS = 2000;
const ENTRIES = 10_000;
const CONNECTIONS = 10;
const ROUNDS = 20;
const REQUESTS_A_ROUND = 50;
const FIRST_ROUNDS = 100;

const token = randomBytes(32).toString('base64url');

type Target = { name: string; port: number; path: string; headers: Record<string, string>; status: number };

async function benchApi(): Promise<{ students: Row[]; account: Row[] }> {
  const [apiPort = 0, plainPort = 0] = await freePorts(2);
  const miniflare = new Miniflare(await optionsOf(apiPort, plainPort));
  try {
    await miniflare.ready;
    const db = await miniflare.getD1Database('DB', 'cps-lab-api');
    await migrate(db, 'migrations');
    await fill(db);
    const cookie = `__Host-session=${token}`;
    const ours = { port: apiPort, path: '/api/students', headers: { cookie }, status: 200 };
    const tag = (await request({ ...ours, name: '' })).headers.etag ?? '';
    const targets: Target[] = [
      { name: 'GET /api/students, session check and log included', ...ours },
      {
        name: 'the same, not changed since (304)',
        ...ours,
        headers: { cookie, 'if-none-match': tag },
        status: 304,
      },
      ...(['/students', '/joined', '/empty'] as const).map((path) => ({
        name: plainNames[path],
        port: plainPort,
        path,
        headers: {},
        status: 200,
      })),
    ];
    const [whole, , plain] = targets;
    if (!whole || !plain) throw new Error('nothing to measure');
    const change = () => db.prepare('UPDATE roster_version SET tag = hex(randomblob(8))').run();
    const account = {
      ours: { ...ours, name: 'GET /api/account, session check included', path: '/api/account' },
      plain: {
        name: 'bare Hono, the same rows returned plainly',
        port: plainPort,
        path: '/account',
        headers: {},
        status: 200,
      },
    };
    await sameAnswer(account.ours, account.plain);
    return {
      students: [...(await measure(targets, whole, plain)), ...(await measureFirst(whole, plain, change))],
      account: [
        ...(await measure([account.ours, account.plain], account.ours, account.plain)),
        ...(await measureFirst(account.ours, account.plain, () =>
          db.prepare('UPDATE ledger_version SET tag = hex(randomblob(8))').run(),
        )),
      ],
    };
  } finally {
    await miniflare.dispose();
  }
}

const plainNames = {
  '/students': 'bare Hono, one row for each student, returned plainly',
  '/joined': 'bare Hono, rows of a join put together in JavaScript',
  '/empty': 'bare Hono without a query',
};

async function optionsOf(apiPort: number, plainPort: number) {
  const api = apiWorker('plain');
  const bundled = await build({
    entryPoints: ['tests/bench/plain-worker.ts'],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
  });
  const atPort = (port: number) => ({ unsafeDirectSockets: [{ host: '127.0.0.1', port }] });
  return convertV4MiniflareOptions({
    cf: false,
    log: new Log(LogLevel.WARN),
    workers: [
      {
        ...api,
        name: 'cps-lab-api',
        ...atPort(apiPort),
      },
      {
        name: 'plain',
        modules: true,
        script: bundled.outputFiles[0]?.text ?? '',
        compatibilityDate: api.compatibilityDate ?? '',
        d1Databases: api.d1Databases ?? {},
        durableObjects: { LIVE: { className: 'Live', useSQLite: true } },
        ...atPort(plainPort),
      },
    ],
  });
}

async function fill(db: Awaited<ReturnType<Miniflare['getD1Database']>>): Promise<void> {
  const now = Date.now();
  const hash = createHash('sha256').update(token).digest('hex');
  const students = Array.from({ length: STUDENTS }, (_, at) => String(202_100_000 + at));
  const ids = JSON.stringify(students);
  await db.batch([
    db.prepare(
      "INSERT INTO users (id, sub, email, name, secure_level, created_at) VALUES (1, 's', 'a@lab.test', '가람', 1, 0)",
    ),
    db
      .prepare(
        "INSERT INTO sessions (token_hash, user_id, user_agent, created_at, last_used_at) VALUES (?, 1, '', ?, ?)",
      )
      .bind(hash, now, now),
    db
      .prepare(
        `INSERT INTO students (id, name, department, tel, email) SELECT value, '나린솔' || key, '컴퓨터공학부', '010-0000-' || (1000 + key), value || '@univ.test'
         FROM json_each(?)`,
      )
      .bind(ids),
    ...[
      [2025, '운영체제'],
      [2026, '임베디드 시스템'],
      [2026, '사물인터넷'],
    ].map(([year, subject]) =>
      db
        .prepare(
          "INSERT INTO enrolments (student_id, year, semester, subject, no, school_year, type) SELECT value, ?, 1, ?, key, 3, '재학' FROM json_each(?)",
        )
        .bind(year, subject, ids),
    ),
    db
      .prepare(
        `WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
         INSERT INTO ledger_entries (amount, datetime, description)
         SELECT iif(n % 3 = 0, 50000, -12000 - n), date('2021-03-02', (n % 2000) || ' days') || 'T13:00:00',
                '복사 용지와 소모품 ' || n FROM number`,
      )
      .bind(ENTRIES),
  ]);
}

/** @throws Error when the two do not answer with the same */
async function sameAnswer(one: Target, other: Target): Promise<void> {
  const bodyOf = async ({ port, path, headers }: Target): Promise<unknown> =>
    await (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).json();
  deepStrictEqual(await bodyOf(one), await bodyOf(other));
}

/** In turn, so that whatever else the machine does falls on all of them. */
async function measure(targets: Target[], ours: Target, plain: Target): Promise<Row[]> {
  const results = targets.map((target) => ({ target, times: [] as number[], elapsed: 0, bytes: 0 }));
  for (let round = -1; round < ROUNDS; round++) {
    for (const result of results) {
      const started = performance.now();
      const times = await burst(result.target);
      // The first round warms up.
      if (round === -1) continue;
      result.elapsed += performance.now() - started;
      result.times.push(...times);
    }
  }
  const p50 = (of: Target) => quantile(results.find(({ target }) => target === of)?.times ?? [], 0.5);
  return [
    ...results.map(({ target, times, elapsed }) => ({
      figure: target.name,
      value: `${((times.length / elapsed) * 1000).toFixed(0)}/s, p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`,
      target: `${CONNECTIONS} connections`,
    })),
    {
      figure: 'ours ÷ the bare one, p50',
      value: (p50(ours) / p50(plain)).toFixed(2),
      target: '< 1, aim 0.5',
    },
  ];
}

/** One at a time: the first reader after a change, for whom the list is made, beside the bare worker. */
async function measureFirst(ours: Target, plain: Target, change: () => Promise<unknown>): Promise<Row[]> {
  const times = { ours: [] as number[], plain: [] as number[] };
  const timed = async (target: Target) => {
    const started = performance.now();
    await request(target);
    return performance.now() - started;
  };
  for (let round = 0; round < FIRST_ROUNDS; round++) {
    await change();
    times.ours.push(await timed(ours));
    times.plain.push(await timed(plain));
  }
  const ms = (values: number[]) =>
    `p50 ${quantile(values, 0.5).toFixed(1)} ms, p99 ${quantile(values, 0.99).toFixed(1)} ms`;
  return [
    { figure: 'ours, the first after a change', value: ms(times.ours), target: 'alone' },
    { figure: plain.name, value: ms(times.plain), target: 'alone' },
  ];
}

async function burst(target: Target): Promise<number[]> {
  const times: number[] = [];
  let left = REQUESTS_A_ROUND;
  const connection = async () => {
    while (left-- > 0) {
      const started = performance.now();
      const { status } = await request(target);
      if (status !== target.status) throw new Error(`${target.name} answered ${status}`);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return times;
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

function request({ port, path, headers }: Target): Promise<{ status: number; headers: IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers, agent }, (answer) => {
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers }));
      answer.resume();
    }).on('error', reject);
  });
}

await buildChanged(['api worker']);
const { students, account } = await benchApi();
printTable(`GET /api/students, ${STUDENTS} students of 3 subjects each`, students);
printTable(`GET /api/account, ${ENTRIES} entries`, account);
agent.destroy();
