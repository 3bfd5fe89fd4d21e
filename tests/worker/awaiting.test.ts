import { ADMIN, LEVELS } from '#contract/access-levels';
import type { AwaitingCounts, Overview } from '#contract/awaiting';
import { currentSemester } from '#contract/terms';
import { DAY_MS, seoulDay } from '#contract/time';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { asAdmin, askedBy, call } from './client.ts';
import { api, migrateDatabase, prepare, sessionOf } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();

const awaiting = async () => await (await call('/awaiting')).json<AwaitingCounts>();
const run = (sql: string) => prepare(sql).run();

test('NAV-12 counts numbers to confirm, dry plants, troubles and dead letters', async () => {
  expect(await awaiting()).toEqual({
    users: { unconfirmed_numbers: 0, due_reviews: 0 },
    plants: { dry_plants: 0 },
    health: { failed_parts: 0, dead_letters: 0 },
  });
  await sessionOf('claims@lab.test', 5);
  await sessionOf('confirmed@lab.test', 5);
  await run("UPDATE users SET univ_id = '20261111' WHERE email = 'claims@lab.test'");
  await run(
    "UPDATE users SET univ_id = '20262222', univ_id_verified_at = 1 WHERE email = 'confirmed@lab.test'",
  );
  await run("INSERT INTO plants (id, name) VALUES (1, 'dry'), (2, 'wet')");
  await run('UPDATE plant_states SET alert_since = 1 WHERE plant_id = 1');
  await run(
    `INSERT INTO alerts (key, kind, name, since, over_at)
     VALUES ('backup:', 'backup', '', 1, NULL), ('board:dry', 'board', 'dry', 1, 2), ('dry:dry', 'dry', 'dry', 1, NULL)`,
  );
  await run(
    `INSERT INTO bridge_keys (bridge_id, key, created_at, revoked_at)
     VALUES ('a', '${'k'.repeat(32)}', 1, NULL), ('a', '${'l'.repeat(32)}', 1, NULL), ('gone', '${'m'.repeat(32)}', 1, 2)`,
  );
  await run(
    `INSERT INTO bridge_heartbeats (bridge_id, broker_connected, reported_at, valid_until, spool_dead)
     VALUES ('a', 1, 1, 1, 4), ('gone', 1, 1, 1, 9)`,
  );
  expect(await awaiting()).toEqual({
    users: { unconfirmed_numbers: 1, due_reviews: 0 },
    plants: { dry_plants: 1 },
    health: { failed_parts: 1, dead_letters: 4 },
  });
});

test('NAV-12 tells the other levels of nothing, and leaves no row in the log', async () => {
  const rows = async () => await env.DB.prepare('SELECT count(*) AS n FROM access_log').first<number>('n');
  const before = await rows();
  for (const level of LEVELS.filter((each) => each !== ADMIN)) {
    const cookie = await sessionOf(`level-${level}@lab.test`, level);
    const answer = await api('/awaiting', { headers: { cookie } });
    expect(await answer.json(), `level ${level}`).toEqual({});
  }
  await awaiting();
  expect(await rows()).toBe(before);
});

test('NAV-12 reads of a thousand users only those who wait', async () => {
  await run(
    `INSERT INTO users (sub, email, name, univ_id, univ_id_verified_at, secure_level, created_at)
     WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)
     SELECT 'sub' || n, n || '@lab.test', '가온', CAST(20300000 + n AS TEXT), 1, 10, 1 FROM numbers`,
  );
  expect((await awaiting()).users.unconfirmed_numbers).toBe(1);
  expect((await askedBy('/awaiting')).rowsRead).toBeLessThan(30);
});

test('NAV-15 the settings page is told of account and lab by level, without planned entries, and the log of nothing', async () => {
  const month = seoulDay(Date.now()).slice(0, 7);
  await run(
    `INSERT INTO ledger_entries (amount, datetime, description)
     VALUES (5000, '2020-01-02T13:00:00', ''), (300, '${month}-01T13:00:00', ''), (-100, '${month}-01T13:00:00', ''),
            (-7000, '${seoulDay(Date.now() + DAY_MS)}T13:00:00', '')`,
  );
  const { year, semester } = currentSemester(Date.now());
  await run(
    `INSERT INTO courses (year, semester, subject, subject_en, target)
     VALUES (${year}, ${semester}, '운영체제', 'OS', 2), (2021, ${semester}, '옛 강의', 'Old', 2)`,
  );
  const account = { balance: 5200, deposits: 300, withdrawals: 100 };
  expect(await (await call('/overview')).json<Overview>()).toEqual({
    account,
    lab: { users: expect.any(Number), students: 0, courses: ['운영체제'], last_backup: null },
  });
  const asLevel = async (level: number) =>
    await (
      await api('/overview', { headers: { cookie: await sessionOf(`level-${level}@lab.test`, level) } })
    ).json();
  expect(await asLevel(3)).toEqual({ account });
  expect(await asLevel(5)).toEqual({});
});
