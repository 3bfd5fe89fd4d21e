import { PLANTS_MAX } from '#contract/plants';
import { env } from 'cloudflare:workers';
import * as z from 'zod';
import { expect, test } from 'vitest';
import { tellReadings } from '../support/store-readings.ts';
import {
  answerWith,
  beat,
  DAY,
  freshWatch,
  heard,
  HOUR,
  look,
  MINUTE,
  retry,
  run,
  sent,
  taskRun,
  wait,
} from './watching.ts';

freshWatch();

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
      /^\[발생\] 화분 basil: 측정값이 오지 않습니다 \(\d{4}\.\d\d\.\d\d \d\d:\d\d부터\)\n  먼저: .*\n\[발생\] 브리지 roof: 보내지 못한 측정값이 쌓이고 있습니다 .*\n  먼저: .*\n\[발생\] 백업: 새 백업이 없습니다.*만들다 실패했습니다.*\n  먼저: .*$/,
    ),
  });

  await heard('basil', MINUTE);
  await beat(MINUTE, null);
  await run('INSERT INTO backups (at, ok, rows, files, bytes) VALUES (?, 1, 1, 1, 1)', Date.now());
  await look();
  // A backup is there or not; a board has to be heard for a while.
  expect((await sent()).slice(1)).toEqual([expect.stringMatching(/^\{"text":"\[해소\] 백업[^\n]*"\}$/)]);
  await wait(29 * MINUTE);
  await heard('basil', 61 * MINUTE);
  await look();
  await heard('basil', MINUTE);
  await look();
  expect(await sent()).toHaveLength(3);
  expect((await sent())[2]).toMatch(/\[해소\] 브리지 roof/);
  // And heard once more since.
  await wait(5 * MINUTE);
  await look();
  await look();
  expect((await sent()).slice(3)).toEqual([expect.stringMatching(/\[해소\] 화분 basil: .* – /)]);
  expect(await env.DB.prepare('SELECT count(*) AS n FROM alerts').first('n')).toBe(0);
});

test('OPS-9 a drill that failed is told until one succeeds, and none at all is not', async () => {
  await look();
  expect(await sent()).toEqual([]);
  const drill = 'INSERT INTO drills (at, ok, made_at, rows, files) VALUES (?, ?, ?, ?, ?)';
  await run(drill, Date.now(), 0, null, null, null);
  await look();
  await look();
  expect(await sent()).toEqual([expect.stringContaining('[발생] 복구 연습: 마지막 연습이 실패했습니다')]);
  await run(drill, Date.now(), 1, 5, 1, 1);
  await look();
  expect((await sent()).slice(1)).toEqual([expect.stringContaining('[해소] 복구 연습')]);
});

test.each(['<!channel>', '<@U0123>', '@everyone', '[see](mailto:x@evil.test)', '&lt;!here&gt;', '`x` *y*'])(
  'SEC-86 a plant that is called %s calls nobody and formats nothing where alerts are told',
  async (name) => {
    await heard(name, 61 * MINUTE);
    await look();
    const [message = ''] = await sent();
    expect(message).toContain('측정값이 오지 않습니다');
    expect(message.slice(message.indexOf('화분'))).not.toMatch(/[<>@&`*[\]]/);
  },
);

test('SEC-89 somebody is told when there are as many plants as there may be', async () => {
  await run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO plants (name) SELECT 'made-up-' || i FROM n`,
    PLANTS_MAX,
  );
  await look();
  expect((await sent()).join()).toContain('화분: 1,000개로 한도에 이르러');
  await run("DELETE FROM plants WHERE name LIKE 'made-up-1%'");
  await look();
  expect((await sent()).join()).toContain('[해소] 화분: 1,000개로');
});

test('SEC-46 OPS-4 a board that is held back for its quota is not told of as silent beside that', async () => {
  await heard('fern', 61 * MINUTE);
  await beat(MINUTE, null);
  await run(
    'UPDATE bridge_heartbeats SET over_quota = ?, over_quota_at = reported_at',
    JSON.stringify([{ plant: 'fern', waiting: 12_000, refused: 0 }]),
  );
  await look();
  expect((await sent()).join()).toMatch(/화분 fern: 정해진 양보다/);
  expect((await sent()).join()).not.toMatch(/오지 않습니다/);
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

test('PLT-24 two boards of one name that end each other’s connection are told of once, and once when that is over', async () => {
  const says = async (boards: string[] | null) => {
    await beat(0, null);
    await run('UPDATE bridge_heartbeats SET boards_reconnecting = ?', boards && JSON.stringify(boards));
    await look();
  };
  await says(['fern']);
  await says(['fern']);
  expect(await sent()).toEqual([expect.stringMatching(/\[발생\] 화분 fern: 보드의 연결이 자꾸 끊깁니다/)]);
  // A bridge that fell silent ends nothing.
  await run('UPDATE bridge_heartbeats SET valid_until = 1');
  await look();
  expect(await sent()).toHaveLength(1);
  await says(null);
  await look();
  expect((await sent()).slice(1)).toEqual([expect.stringMatching(/\[해소\] 화분 fern: 보드의 연결/)]);
});

test('OPS-10 dead letters, a certificate that ends and a full disk are told with how they stand, and once that they are over', async () => {
  const says = async (columns: string) => {
    await beat(0, null);
    await run(`UPDATE bridge_heartbeats SET disk_size = 3e10, ${columns}`);
    await look();
  };
  const soon = Date.now() + 10 * DAY;
  const boards = '[{"plant":"<!here>","messages":2}]';
  await says('disk_free = 9e9');
  await says(
    `disk_free = 3e8, certificate_until = ${soon}, spool_dead = 3, dead_at = reported_at, dead_boards = '${boards}'`,
  );
  expect((await sent()).join()).toMatch(/남은 공간 300\.0 MB \(/);
  await says(`disk_free = 2e8, certificate_until = ${soon}, spool_dead = 4, dead_at = reported_at`);
  const lines = (await sent()).flatMap((body) =>
    z.object({ text: z.string() }).parse(JSON.parse(body)).text.split('\n'),
  );
  expect(lines.filter((line) => line.startsWith('  먼저: '))).toHaveLength(3);
  expect(lines.filter((line) => line.startsWith('[')).sort()).toEqual([
    expect.stringMatching(/^\[발생\] 브리지 roof: 디스크에 남은 공간이 부족합니다\. 남은 공간 300\.0 MB \(/),
    expect.stringMatching(
      /^\[발생\] 브리지 roof: 브로커의 인증서가 곧 만료됩니다\. \d{4}\.\d\d\.\d\d까지 10일 남음 \(/,
    ),
    expect.stringMatching(
      /^\[발생\] 브리지 roof: 처리하지 못한 메시지가 들어오고 있습니다\. 모두 3건, ＜!here＞ 2건 \(/,
    ),
  ]);
  expect(await env.DB.prepare("SELECT detail FROM alerts WHERE kind = 'disk'").first('detail')).toBe(
    '남은 공간 200.0 MB',
  );
  // What a bridge does not know any more is not well for that.
  await says('disk_free = NULL');
  expect(await env.DB.prepare("SELECT count(*) AS n FROM alerts WHERE kind = 'disk'").first('n')).toBe(1);
  await says(`disk_free = 9e9, certificate_until = ${soon + 90 * DAY}, spool_dead = 0`);
  expect((await sent()).slice(1).join()).toMatch(/(\[해소\] 브리지 roof: [^]*){3}/);
  expect((await sent()).at(-1)).not.toContain('MB');
});

test('OPS-4 a bridge without a word is told of, until its keys are revoked', async () => {
  await beat(20 * MINUTE, null);
  await look();
  expect(await sent()).toEqual([expect.stringMatching(/\[발생\] 브리지 roof: 연결이 끊겼습니다/)]);
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
    // Not yet tried again; somebody outside learns of it nonetheless.
    await expect(look()).rejects.toThrow(`answered ${status}`);
    await retry();
    await expect(look()).rejects.toThrow('the task watch failed');
    await answerWith(200);
    await retry();
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
  await env.PLANTS_DB.prepare(
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

test('OPS-10 somebody is told before the rows of the day are used up, and each day is remembered as it began', async () => {
  await heard('fern', MINUTE);
  await look();
  const day = new Date().toISOString().slice(0, 10);
  const days = () => env.DB.prepare('SELECT * FROM database_days').all();
  expect((await days()).results).toEqual([
    { day, size: expect.any(Number), plants_size: expect.any(Number), readings: 0 },
  ]);
  await run('UPDATE plant_states SET readings = 35200');
  await look();
  await look();
  expect((await days()).results).toMatchObject([{ readings: 0 }]);
  expect(await sent()).toEqual([
    expect.stringMatching(
      /\[발생\] 데이터베이스: 하루에 쓸 수 있는 행을 거의 다 씁니다\. 오늘 100,000행 중 약 88,000행/,
    ),
  ]);
  await look({ CLOUDFLARE_PLAN: 'paid' });
  expect((await sent()).slice(1)).toEqual([expect.stringMatching(/\[해소\] 데이터베이스: 하루에/)]);
});

test('OPS-4 a nightly task that failed is told of until it has gone well', async () => {
  await run(
    "INSERT INTO task_runs (name, started_at, finished_at, ok, failure) VALUES ('retention', 0, 1, 0, 'Error: D1_ERROR: no')",
  );
  await look();
  await run("UPDATE task_runs SET ok = 1 WHERE name = 'retention'");
  await look();
  expect(await sent()).toEqual([
    expect.stringMatching(
      /\[발생\] 예약 작업 보관 기한 지난 자료 삭제: 실패했습니다\. 데이터베이스가 응답하지 않거나 거절했습니다/,
    ),
    expect.stringMatching(/\[해소\] 예약 작업 보관 기한 지난 자료 삭제/),
  ]);
});

/** The soil of a plant for so many hours up to now, a reading every ten minutes. */
const soil = (plant: string, hours: number, raw: (step: number) => number) =>
  tellReadings(
    env.PLANTS_DB,
    Array.from({ length: hours * 6 }, (_, step) => [
      plant,
      Date.now() - (hours * 6 - step) * 10 * MINUTE,
      raw(step) + (step % 3),
    ]),
  );

test('PLT-23 PLT-22 a loose contact is told once as a sensor to look at, and nothing is said of the soil', async () => {
  await soil('basil', 48, (step) => (step > 200 && step % 5 < 2 ? 900 : 500));
  await look();
  await look();
  expect(await sent()).toEqual([
    expect.stringMatching(
      /^\{"text":"\[발생\] 화분 basil: 센서를 확인하세요\. 값이 튑니다\. .*부터\)\\n  먼저: 센서가[^"]*"\}$/,
    ),
  ]);
});

test.each([
  ['is behind', () => true],
  ['jumps between right and late', (step: number) => step % 2 === 0],
])('PLT-24 a board whose clock %s is heard, and told of once with how much it is off', async (_, isLate) => {
  await tellReadings(
    env.PLANTS_DB,
    Array.from({ length: 60 }, (_step, step) => {
      const at = Date.now() - (60 - step) * 10 * MINUTE;
      return ['basil', at - (isLate(step) ? 2 * HOUR : 0), 500 + (step % 3), at];
    }),
  );
  await look();
  await look();
  expect(await sent()).toEqual([
    expect.stringMatching(
      /^\{"text":"\[발생\] 화분 basil: 보드의 시계가 맞지 않습니다\. 2시간 느립니다 \(.*부터\)\\n  먼저: [^"]*"\}$/,
    ),
  ]);
});
