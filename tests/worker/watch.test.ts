import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import worker from '../../worker/src/app.ts';
import { migrateDatabase } from './support.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WATCH = '*/5 * * * *';

/** A receiver of its own for each test, somewhere on the network. */
let hook = '';
let receivers = 0;

beforeEach(async () => {
  await migrateDatabase();
  hook = `https://hook.test/${++receivers}?token=the-hook-is-secret`;
  await answerWith(200);
  await env.DB.batch(
    ['alerts', 'backups', 'task_runs', 'bridge_heartbeats', 'bridge_keys', 'plants', 'users'].map((table) =>
      env.DB.prepare(`DELETE FROM ${table}`),
    ),
  );
});

async function answerWith(status: number): Promise<void> {
  const body = JSON.stringify({ status, body: '' });
  await fetch(hook, { method: 'POST', headers: { 'x-test-order': 'answer' }, body });
}

/** What the receiver was sent so far, taken or not. */
async function sent(): Promise<string[]> {
  const answer = await fetch(hook, { headers: { 'x-test-order': 'bodies' } });
  return await answer.json();
}

const look = (variables: Partial<typeof env> = {}) =>
  worker.scheduled(createScheduledController({ cron: WATCH }), {
    ...env,
    ALERT_WEBHOOK_URL: hook,
    ...variables,
  });

const run = (sql: string, ...values: (string | number | null)[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

/** The board of the plant was last heard so long ago. */
async function heard(plant: string, ago: number): Promise<void> {
  await run('INSERT OR IGNORE INTO plants (name) VALUES (?)', plant);
  await run(
    'UPDATE plant_states SET last_received_at = ? WHERE plant_id = (SELECT id FROM plants WHERE name = ?)',
    Date.now() - ago,
    plant,
  );
}

/** The bridge said so long ago that its oldest reading waits for so long. */
async function beat(ago: number, waits: number | null): Promise<void> {
  await run(
    "INSERT OR IGNORE INTO bridge_keys (bridge_id, key, created_at) VALUES ('roof', hex(zeroblob(16)), 0)",
  );
  await run(
    "INSERT OR REPLACE INTO bridge_heartbeats VALUES ('roof', 1, ?1, ?1 + 75000, ?2, ?3, 0)",
    Date.now() - ago,
    waits === null ? 0 : 4000,
    waits === null ? null : Date.now() - waits,
  );
}

/** Lets so much time pass for what has been well since the last look. */
const wait = (ms: number) => run('UPDATE alerts SET well_since = well_since - ?', ms);

const taskRun = () => env.DB.prepare("SELECT * FROM task_runs WHERE name = 'watch'").first();

test('OPS-4 nothing is told while all is well, and the run is written down', async () => {
  await heard('basil', MINUTE);
  await beat(MINUTE, null);
  await look();
  expect(await sent()).toEqual([]);
  expect(await taskRun()).toMatchObject({ ok: 1, finished_at: expect.any(Number) });
});

test('OPS-4 a silent board, a silent bridge, a growing spool and a failed backup are told once, and once when over', async () => {
  await heard('basil', 61 * MINUTE);
  await heard('moss', MINUTE);
  await beat(MINUTE, 16 * MINUTE);
  await run('INSERT INTO backups (at, ok) VALUES (?, 0)', Date.now());
  await look();
  await look();
  const [message, ...more] = (await sent()).map((body): unknown => JSON.parse(body));
  expect(more).toEqual([]);
  expect(message).toEqual({
    text: expect.stringMatching(
      /^\[발생\] 화분 basil: 측정값이 오지 않습니다 \(\d{4}\.\d\d\.\d\d \d\d:\d\d부터\)\n\[발생\] 브리지 roof: 보내지 못한 측정값이 쌓이고 있습니다 .*\n\[발생\] 백업: 실패했거나 기한이 지났습니다 .*$/,
    ),
  });

  await heard('basil', MINUTE);
  await beat(MINUTE, null);
  await run('INSERT INTO backups (at, ok, rows, files, bytes) VALUES (?, 1, 1, 1, 1)', Date.now());
  await look();
  // A backup is there or not; a board has to be heard for a while.
  expect((await sent()).slice(1)).toEqual([expect.stringMatching(/^\{"text":"\[해소\] 백업[^\n]*"\}$/)]);
  await wait(29 * MINUTE);
  await heard('basil', 31 * MINUTE);
  await look();
  await heard('basil', MINUTE);
  await look();
  expect(await sent()).toHaveLength(3);
  expect((await sent())[2]).toMatch(/\[해소\] 브리지 roof/);
  await wait(31 * MINUTE);
  await look();
  await look();
  expect((await sent()).slice(3)).toEqual([expect.stringMatching(/\[해소\] 화분 basil: .* – /)]);
  expect(await env.DB.prepare('SELECT count(*) AS n FROM alerts').first('n')).toBe(0);
});

test('OPS-4 a bridge without a word is told of, until its keys are revoked', async () => {
  await beat(20 * MINUTE, null);
  await look();
  expect(await sent()).toEqual([expect.stringMatching(/\[발생\] 브리지 roof: 소식이 끊겼습니다/)]);
  await run('UPDATE bridge_keys SET revoked_at = 1');
  await look();
  expect(await sent()).toHaveLength(2);
  await look();
  expect(await sent()).toHaveLength(2);
});

test.each([500, 404, 302])(
  'OPS-4 what a receiver did not take (%i) is told the next time',
  async (status) => {
    await heard('basil', 2 * HOUR);
    await answerWith(status);
    await expect(look()).rejects.toThrow(`answered ${status}`);
    expect(await taskRun()).toMatchObject({ ok: 0 });
    await expect(look()).rejects.toThrow('the task watch failed');
    await answerWith(200);
    await look();
    await look();
    const bodies = await sent();
    expect(bodies).toHaveLength(3);
    expect(new Set(bodies).size).toBe(1);
    expect(await taskRun()).toMatchObject({ ok: 1 });
  },
);

test('OPS-4 without a receiver alerts are kept for the health page, and one that comes later is told what goes on', async () => {
  await heard('basil', 2 * HOUR);
  await heard('fern', 2 * HOUR);
  await look({ ALERT_WEBHOOK_URL: '' });
  await env.DB.prepare(
    "UPDATE plant_states SET last_received_at = NULL WHERE plant_id = (SELECT id FROM plants WHERE name = 'fern')",
  ).run();
  await look({ ALERT_WEBHOOK_URL: '' });
  expect(await env.DB.prepare('SELECT key, told_at FROM alerts').all()).toMatchObject({
    results: [{ key: 'board:basil', told_at: null }],
  });
  await look();
  await look();
  expect(await sent()).toEqual([expect.stringMatching(/^\S+ 화분 basil: 측정값이 오지 않습니다[^\n]*$/)]);
});

test('OPS-4 a backup is missed after as many days as are set, counted from the first user where there was none', async () => {
  await run(
    "INSERT INTO users (sub, email, name, secure_level, created_at) VALUES ('s', 'e', 'n', 10, ?)",
    Date.now() - 8 * DAY,
  );
  await look({ BACKUP_ALERT_DAYS: '9' });
  expect(await sent()).toEqual([]);
  await look();
  expect(await sent()).toEqual([expect.stringMatching(/\[발생\] 백업/)]);
});

test.each([
  ['ALERT_WEBHOOK_URL', 'not an address'],
  ['ALERT_WEBHOOK_URL', 'file:///etc/passwd'],
  ['BACKUP_ALERT_DAYS', '0'],
])('OPS-5 %s may not be %s', async (name, value) => {
  await expect(look({ [name]: value })).rejects.toThrow(name);
  expect(await taskRun()).toMatchObject({ ok: 0 });
});
