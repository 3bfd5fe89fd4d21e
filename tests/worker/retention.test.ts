import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { AccessLogEntry } from '#contract/access-log';
import worker from '../../worker/src/app.ts';
import { termRetentionEnd } from '../../worker/src/students/purge-data.ts';
import { asAdmin, call } from './client.ts';
import { png } from './sample-images.ts';
import { migrateDatabase, prepare } from './support.ts';

const DAY = 86_400_000;

beforeAll(migrateDatabase);
asAdmin();

const tidyUp = (variables: Partial<typeof env> = {}) =>
  worker.scheduled(createScheduledController({ cron: '17 18 * * *' }), { ...env, ...variables });

const run = (sql: string, ...values: (string | number)[]) =>
  prepare(sql)
    .bind(...values)
    .run();
const rows = async (sql: string) => (await prepare(sql).all()).results;

/** What the log says that the system's own task removed, newest first. */
async function removals(): Promise<AccessLogEntry[]> {
  const entries: AccessLogEntry[] = await (await call('/access_log?action=delete')).json();
  return entries.filter(({ address }) => address === 'system');
}

async function enrol(id: string, year: number, semester: number): Promise<void> {
  await run('INSERT OR IGNORE INTO students (id, name) VALUES (?, ?)', id, `이름 ${id}`);
  await run(
    `INSERT INTO enrolments (student_id, year, semester, subject, no, school_year, type)
     VALUES (?, ?, ?, '운영체제', 1, 3, '')`,
    id,
    year,
    semester,
  );
}

async function givePicture(id: string): Promise<void> {
  const { etag } = await env.FILES.put(`pictures/${id}`, png, {});
  await run(
    `INSERT INTO pictures (student_id, content_type, size, etag, width, height, uploaded_at)
     VALUES (?, 'image/png', 1, ?, 1, 1, 0)`,
    id,
    etag,
  );
}

test('a semester is kept for so many years after its own end, in Seoul', () => {
  expect(new Date(termRetentionEnd({ year: 2021, semester: 1 }, 5)).toISOString()).toBe(
    '2026-08-31T15:00:00.000Z',
  );
  expect(new Date(termRetentionEnd({ year: 2021, semester: 2 }, 5)).toISOString()).toBe(
    '2027-02-28T15:00:00.000Z',
  );
});

test('OPS-4 rosters of semesters that are over for long go by themselves, with the pictures of who is in no other', async () => {
  const thisYear = new Date().getUTCFullYear();
  const old = thisYear - 3;
  await enrol('20110001', old, 1);
  await enrol('20110002', old, 1);
  await enrol('20110002', thisYear, 1);
  await enrol('20110003', thisYear, 1);
  for (const id of ['20110001', '20110002']) await givePicture(id);

  await tidyUp({ ROSTER_YEARS: '' });
  expect(await rows('SELECT count(*) AS n FROM enrolments')).toEqual([{ n: 4 }]);
  await tidyUp({ ROSTER_YEARS: '2' });
  expect(await rows('SELECT student_id, year FROM enrolments ORDER BY student_id')).toEqual([
    { student_id: '20110002', year: thisYear },
    { student_id: '20110003', year: thisYear },
  ]);
  expect(await rows('SELECT id FROM students ORDER BY id')).toEqual([{ id: '20110002' }, { id: '20110003' }]);
  expect((await env.FILES.list({ prefix: 'pictures/' })).objects.map(({ key }) => key)).toEqual([
    'pictures/20110002',
  ]);
  const [removal] = await removals();
  expect(removal).toMatchObject({
    actor: null,
    address: 'system',
    subject: 'enrolment',
    person: null,
    detail: { filter: { year: old, semester: 1 }, enrolments: 2, students: 1 },
    request: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}$/),
  });
  expect(JSON.stringify(removal)).not.toMatch(/이름|2011000/);
});

test('OPS-4 the name of a deleted user leaves the lists of dues after its time; that they paid stays', async () => {
  await run(
    `INSERT INTO users (id, sub, email, name, secure_level, created_at)
     VALUES (70, 's', 'gone@lab.test', '윤슬', 5, 0)`,
  );
  await run(
    `INSERT INTO ledger_entries (id, amount, datetime, description)
     VALUES (7, 50000, '2026-03-04T13:00:00', '회비')`,
  );
  await run("INSERT INTO dues (year, semester, user_id, name, entry_id) VALUES (2026, 1, 70, '윤슬', 7)");
  await run("INSERT INTO dues (year, semester, user_id, name) VALUES (2026, 2, 70, '윤슬')");
  await run("INSERT INTO dues (year, semester, name) VALUES (2026, 1, '가온')");
  expect((await call('/users/70', 'DELETE')).status).toBe(200);
  const dues = () => rows('SELECT name, entry_id FROM dues ORDER BY id');
  await tidyUp();
  expect(await dues()).toEqual([
    { name: '윤슬', entry_id: 7 },
    { name: '윤슬', entry_id: null },
    { name: '가온', entry_id: null },
  ]);
  await run('UPDATE dues SET user_deleted_at = user_deleted_at - ?', 366 * DAY);
  await tidyUp({ DELETED_USERS_DAYS: '400' });
  expect(await dues()).toMatchObject([{ name: '윤슬' }, { name: '윤슬' }, { name: '가온' }]);
  await tidyUp();
  expect(await dues()).toEqual([
    { name: '삭제된 사용자', entry_id: 7 },
    { name: '가온', entry_id: null },
  ]);
  expect((await removals())[0]).toMatchObject({ subject: 'due', detail: { names: 2 } });
});

test('OPS-4 each kind that is removed leaves its count in the log, and a night with nothing to remove leaves nothing', async () => {
  await run(
    `INSERT INTO sessions (token_hash, user_id, user_agent, created_at, last_used_at)
     SELECT hex(zeroblob(32)), id, '', 0, 0 FROM users LIMIT 1`,
  );
  await run(
    "INSERT INTO access_log (at, address, action, subject) VALUES (?, '', 'read', 'user')",
    Date.now() - 401 * DAY,
  );
  await run(
    `INSERT INTO imports (at, year, semester, subject, added, changed, unchanged, removed)
     VALUES (0, 2026, 1, 'x', 0, 0, 1, 0)`,
  );
  await run("INSERT INTO plants (id, name) VALUES (1, 'fern')");
  await run(
    `INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
     VALUES (1, 0, 0, 512, 0)`,
  );
  const before = (await removals()).length;
  await tidyUp({ PLANT_READINGS_DAYS: '31' });
  const entries = (await removals()).slice(0, -before || undefined);
  expect(entries.map(({ subject, detail }) => ({ subject, detail })).toReversed()).toEqual([
    { subject: 'user', detail: { sessions: 1 } },
    { subject: 'access_log', detail: { entries: 1 } },
    { subject: 'enrolment', detail: { imports: 1 } },
    { subject: 'plant', detail: { readings: 1 } },
  ]);
  expect(new Set(entries.map(({ request }) => request)).size).toBe(1);
  await tidyUp({ PLANT_READINGS_DAYS: '31' });
  expect(await removals()).toHaveLength(before + 4);
  expect(await rows("SELECT ok FROM task_runs WHERE name = 'retention'")).toEqual([{ ok: 1 }]);
});

test.each([
  ['ROSTER_YEARS', '0'],
  ['ROSTER_YEARS', 'five'],
  ['DELETED_USERS_DAYS', '-1'],
  ['ACCESS_LOG_DAYS', '365'],
])('OPS-5 nothing is removed while %s is %s', async (name, value) => {
  await enrol(`2011${value.length}${name.length}90`, 2021, 1);
  const count = () => rows('SELECT count(*) AS n FROM enrolments');
  const before = await count();
  await expect(tidyUp({ [name]: value })).rejects.toThrow(name);
  expect(await count()).toEqual(before);
});
