import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import worker from '../../worker/src/app.ts';
import { mayTell } from '../../worker/src/watch/told-lately.ts';
import { migrateDatabase } from './support.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WATCH = '*/5 * * * *';

/** A receiver of its own for each test, somewhere on the network. */
let hook = '';
/** Who waits for the sign of life. */
let outside = '';
let receivers = 0;

beforeEach(async () => {
  await migrateDatabase();
  hook = `https://hook.test/${++receivers}?token=the-hook-is-secret`;
  await answerWith(200);
  outside = `https://outside.test/${receivers}-the-id-is-secret`;
  await answerWith(200, outside);
  await env.FILES.delete('watch/told');
  await env.DB.batch(
    ['alerts', 'backups', 'task_runs', 'bridge_heartbeats', 'bridge_keys', 'plants', 'users'].map((table) =>
      env.DB.prepare(`DELETE FROM ${table}`),
    ),
  );
});

async function answerWith(status: number, address = hook): Promise<void> {
  const body = JSON.stringify({ status, body: '' });
  await fetch(address, { method: 'POST', headers: { 'x-test-order': 'answer' }, body });
}

/** What the receiver was sent so far, taken or not. */
async function sent(): Promise<string[]> {
  const answer = await fetch(hook, { headers: { 'x-test-order': 'bodies' } });
  return await answer.json();
}

/** How often a sign of life was asked for. */
async function signs(): Promise<number> {
  return await (await fetch(outside, { headers: { 'x-test-order': 'count' } })).json();
}

const look = (variables: Partial<typeof env> = {}) =>
  worker.scheduled(createScheduledController({ cron: WATCH }), {
    ...env,
    ALERT_WEBHOOK_URL: hook,
    HEARTBEAT_URL: outside,
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
    `INSERT OR REPLACE INTO bridge_heartbeats (bridge_id, broker_connected, reported_at, valid_until,
       spool_depth, spool_oldest_at, spool_dead, signed_at, broker_heard_at, spool_known_at, spool_state)
     VALUES ('roof', 1, ?1, ?1 + 75000, ?2, ?3, 0, ?1, ?1, ?1, 'ok')`,
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

test('SEC-46 ING-9 a board beyond its quota is told by its name once, and once when it is within it again', async () => {
  const quota = async (boards: object[] | null) => {
    await beat(0, null);
    await run(
      'UPDATE bridge_heartbeats SET over_quota = ?, over_quota_at = reported_at',
      boards && JSON.stringify(boards),
    );
    await look();
  };
  await quota([]);
  await quota([{ plant: 'fern', waiting: 12_000, refused: 0 }]);
  await quota([{ plant: 'fern', waiting: 0, refused: 9 }]);
  expect(await sent()).toEqual([
    expect.stringMatching(/\[발생\] 화분 fern: 정해진 양보다 많은 측정값을 보내고 있습니다/),
  ]);
  // A bridge that was started anew does not know it yet, and one that fell silent does not tell.
  await run('UPDATE bridge_heartbeats SET over_quota_at = 1');
  await look();
  await run('UPDATE bridge_heartbeats SET over_quota_at = reported_at, valid_until = 1');
  await look();
  expect(await sent()).toHaveLength(1);
  await quota([]);
  await look();
  expect((await sent()).slice(1)).toEqual([expect.stringMatching(/\[해소\] 화분 fern: 정해진 양/)]);
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
  ['HEARTBEAT_URL', 'http://outside.test/plain'],
])('OPS-5 %s may not be %s', async (name, value) => {
  await expect(look({ [name]: value })).rejects.toThrow(name);
  expect(await taskRun()).toMatchObject({ ok: 0 });
});

test('OPS-4 a broker that a living bridge has lost, and a spool that it cannot tell of, are told of by their names', async () => {
  await beat(MINUTE, null);
  await run(
    `UPDATE bridge_heartbeats SET broker_connected = 0, broker_heard_at = ?1, spool_depth = NULL, spool_state = NULL,
       spool_known_at = ?1`,
    Date.now() - 16 * MINUTE,
  );
  await look();
  expect(await sent()).toEqual([
    expect.stringMatching(
      /^\{"text":"\[발생\] 브리지 roof: MQTT 브로커에 연결하지 못하고 있습니다 [^\n]*브리지 roof: 저장 상태를 알 수 없습니다[^\n]*$/,
    ),
  ]);
});

test('OPS-4 a bridge that does not know its spool any more ends no trouble of its spool', async () => {
  await beat(MINUTE, 16 * MINUTE);
  await look();
  for (const change of ['spool_depth = NULL, spool_state = NULL', 'valid_until = 0']) {
    await run(`UPDATE bridge_heartbeats SET spool_oldest_at = NULL, ${change}`);
    await look();
    await wait(HOUR);
    await look();
  }
  await run('DELETE FROM bridge_heartbeats');
  await look();
  expect(await sent()).toHaveLength(1);
  expect(await env.DB.prepare('SELECT key FROM alerts').raw()).toEqual([['spool:roof']]);
});

test('OPS-4 a nightly task that failed is told of until it has gone well', async () => {
  await run("INSERT INTO task_runs (name, started_at, finished_at, ok) VALUES ('retention', 0, 1, 0)");
  await look();
  await run("UPDATE task_runs SET ok = 1 WHERE name = 'retention'");
  await look();
  expect(await sent()).toEqual([
    expect.stringMatching(/\[발생\] 예약 작업 보관 기한 정리: 실패했습니다/),
    expect.stringMatching(/\[해소\] 예약 작업 보관 기한 정리/),
  ]);
});

describe('a database that refuses', () => {
  const restore: string[] = [];
  const change = async (sql: string, back: string) => {
    await run(sql);
    restore.push(back);
  };
  const mend = async () => {
    for (const sql of restore.splice(0).toReversed()) await run(sql);
  };
  const hide = (table: string) =>
    change(
      `ALTER TABLE ${table} RENAME TO hidden_${table}`,
      `ALTER TABLE hidden_${table} RENAME TO ${table}`,
    );

  test.each([
    ['plant_states', '화분의 상태', 'boards'],
    ['bridge_heartbeats', '브리지의 상태', 'bridges'],
    ['backups', '백업 기록', 'backups'],
  ])('OPS-4 to show %s is told of by name, once, and hides nothing else', async (table, what, part) => {
    onTestFinished(mend);
    await heard('basil', 2 * HOUR);
    await beat(MINUTE, 16 * MINUTE);
    await run('INSERT INTO backups (at, ok) VALUES (?, 0)', Date.now());
    await look();
    await hide(table);
    await expect(look()).rejects.toThrow(`the watch failed: ${part}`);
    await expect(look()).rejects.toThrow(`the watch failed: ${part}`);
    expect(await taskRun()).toMatchObject({ ok: 0 });
    await mend();
    await look();
    const [before, ...later] = await sent();
    expect(before).toMatch(/화분 basil[^]*브리지 roof[^]*백업/);
    // The troubles that could not be seen meanwhile were not called over.
    expect(later).toEqual([
      expect.stringMatching(new RegExp(`^\\{"text":"\\[발생\\] 상태 점검: ${what}[^\\n]*$`)),
      expect.stringMatching(new RegExp(`^\\{"text":"\\[해소\\] 상태 점검: ${what}[^\\n]*$`)),
    ]);
    expect(await signs()).toBe(2);
  });

  test.each(['task_runs', 'alerts'])(
    'OPS-4 writes (%s) is told of with everything that is wrong, at the first look and then once an hour',
    async (table) => {
      onTestFinished(mend);
      await heard('basil', 2 * HOUR);
      await change(
        `CREATE TRIGGER refuses BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'quota'); END`,
        'DROP TRIGGER refuses',
      );
      for (let count = 0; count < 3; count++)
        await expect(look()).rejects.toThrow('the watch failed: saving');
      expect(await sent()).toEqual([
        expect.stringMatching(/화분 basil: [^]*데이터베이스에 저장하지 못합니다[^]*한 시간에 한 번/),
      ]);
      // An hour later, as far as R2 remembers.
      await env.FILES.delete('watch/told');
      await expect(look()).rejects.toThrow('the watch failed: saving');
      expect(await sent()).toHaveLength(2);
      expect(await signs()).toBe(0);
      await mend();
      await look();
      await look();
      // Remembered from now on.
      expect(await sent()).toHaveLength(3);
      expect(await signs()).toBe(2);
      expect(await env.FILES.head('watch/told')).toBeNull();
    },
  );

  test('OPS-4 everything is told of at the first look, and then once an hour', async () => {
    onTestFinished(mend);
    await heard('basil', 2 * HOUR);
    for (const table of ['plant_states', 'bridge_heartbeats', 'backups', 'task_runs', 'alerts'])
      await hide(table);
    for (let count = 0; count < 3; count++) await expect(look()).rejects.toThrow('database');
    expect(await sent()).toEqual([
      expect.stringMatching(
        /^\{"text":"\[발생\] 상태 점검: 데이터베이스가 응답하지 않습니다 \([^\n]*부터\)\\n[^\n]*한 시간에[^\n]*$/,
      ),
    ]);
    expect(await signs()).toBe(0);
  });

  test('OPS-4 everything, and a receiver that does not take it either: it is told at the next look', async () => {
    onTestFinished(mend);
    for (const table of ['alerts', 'task_runs']) await hide(table);
    await answerWith(500);
    await expect(look()).rejects.toThrow('answered 500');
    await answerWith(200);
    await expect(look()).rejects.toThrow('the watch failed');
    await expect(look()).rejects.toThrow('the watch failed');
    expect(await sent()).toHaveLength(2);
  });

  test('OPS-4 where R2 cannot remember either, somebody is told in the first look of each hour', async () => {
    const broken = Object.create(env.FILES, { head: { value: () => Promise.reject(new Error('no')) } });
    const day = Array.from({ length: 288 }, (_, look) => look * 5 * MINUTE + 1234);
    const told = await Promise.all(day.map((now) => mayTell(broken, now)));
    expect(told.filter(Boolean)).toHaveLength(24);
  });
});

describe('the sign of life', () => {
  test('OPS-4 is asked for once after each look, without a word', async () => {
    await look();
    await look();
    expect(await signs()).toBe(2);
    const bodies = await fetch(outside, { headers: { 'x-test-order': 'bodies' } });
    expect(await bodies.json()).toEqual(['', '']);
  });

  test('OPS-4 stays away when the webhook takes nothing, whatever the look found', async () => {
    await heard('basil', 2 * HOUR);
    await answerWith(503);
    await expect(look()).rejects.toThrow('answered 503');
    expect(await signs()).toBe(0);
  });

  test('OPS-4 that nobody takes spoils no look, and its address is in no line of the log', async () => {
    await answerWith(500, outside);
    const lines: string[] = [];
    const spies = (['log', 'error'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line)),
    );
    onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
    await look();
    expect(await taskRun()).toMatchObject({ ok: 1 });
    expect(lines.join('\n')).toContain('sign_of_life_failed');
    expect(lines.join('\n')).toContain('answered 500');
    expect(lines.join('\n')).not.toMatch(/outside\.test|secret/);
  });
});
