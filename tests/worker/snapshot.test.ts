import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptyDatabase, snapshotOf } from '../support/d1-snapshot.ts';
import { migrated, migrateDatabase, prepare, sessionOf, standingBridge } from './support.ts';

/** A database that no part of the product is bound to. */
const elsewhere = env.ELSEWHERE;

// The second time from what the first one left.
beforeAll(migrateDatabase);
beforeAll(migrateDatabase);
afterAll(() => emptyDatabase(elsewhere));

/** Tags are drawn, times are those of the migration, and ids of users begin elsewhere in each file. */
const lasting = async (db: D1Database) => {
  const { tables, rows, rest } = await snapshotOf(db);
  const same = rows.map((row) => row.replace(/'[0-9a-f]{16}'|\b\d{13}\b|'[\d-]{10} [\d:]{8}'/g, '…'));
  return { tables, rows: same.filter((row) => !row.includes("('users', ")), rest };
};

const replayed = async (migrations: D1Migration[]) => {
  await emptyDatabase(elsewhere);
  await applyD1Migrations(elsewhere, migrations);
  return await lasting(elsewhere);
};
type D1Migration = (typeof env.MIGRATIONS)[number];

test('what a file of tests begins with is what the migrations make, replayed one by one', async () => {
  expect(await lasting(env.DB)).toEqual(await replayed(env.MIGRATIONS));
  expect(await lasting(env.PLANTS_DB)).toEqual(await replayed(env.PLANTS_MIGRATIONS));
});

test('nothing that a file has stored, dropped, renamed or made is there for the next one', async () => {
  const [before, plantsBefore] = [await lasting(env.DB), await lasting(env.PLANTS_DB)];
  await standingBridge();
  await prepare(
    "INSERT INTO users (sub, email, name, secure_level, created_at) VALUES ('s', 'e@x.test', 'n', 1, 0)",
  ).run();
  await sessionOf('admin@lab.test');
  await prepare(
    `INSERT INTO access_log (at, actor_id, address, action, subject)
     SELECT unixepoch() * 1000, id, '::1', 'read', 'student' FROM users`,
  ).run();
  await expect(prepare('DELETE FROM access_log').run()).rejects.toThrow('kept for a year');
  await prepare('ALTER TABLE courses RENAME TO hidden_courses').run();
  await prepare('DROP TABLE receivers').run();
  await env.DB.prepare('CREATE TABLE of_a_test (id INTEGER PRIMARY KEY AUTOINCREMENT)').run();
  await env.DB.prepare('CREATE VIEW seen AS SELECT 1 AS one').run();
  await env.DB.prepare('DROP TRIGGER access_log_is_append_only').run();
  await env.PLANTS_DB.prepare("INSERT INTO plants (name) VALUES ('basil')").run();
  expect(await lasting(env.DB)).not.toEqual(before);
  await migrateDatabase();
  expect(await lasting(env.DB)).toEqual(before);
  expect(await lasting(env.PLANTS_DB)).toEqual(plantsBefore);
});

test('another list of migrations makes another database', async () => {
  const another = {
    id: 9999,
    name: '9999_another.sql',
    queries: ['CREATE TABLE another (id INTEGER PRIMARY KEY) STRICT', 'INSERT INTO another VALUES (7)'],
  };
  await migrated(elsewhere, [...env.MIGRATIONS, another]);
  expect(await elsewhere.prepare('SELECT id FROM another').first('id')).toBe(7);
  await migrated(elsewhere, env.MIGRATIONS);
  expect(await lasting(elsewhere)).toEqual(await replayed(env.MIGRATIONS));
});
