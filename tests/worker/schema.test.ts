import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { holderOf, migrateDatabase, prepare } from './support.ts';

beforeAll(migrateDatabase);

const tables = async () => {
  const lists = await Promise.all(
    [env.DB, env.PLANTS_DB].map((db) =>
      db.prepare('PRAGMA table_list').all<{ name: string; type: string; strict: number }>(),
    ),
  );
  return lists
    .flatMap(({ results }) => results)
    .filter(({ name, type }) => type === 'table' && !/^(sqlite|_cf|d1_)/.test(name));
};

test('every table is STRICT', async () => {
  const all = await tables();
  expect(all.length).toBeGreaterThan(5);
  expect(all.filter(({ strict }) => strict !== 1)).toEqual([]);
});

test('every foreign key has an index that starts with it, so that a deletion reads no whole table', async () => {
  for (const { name } of await tables()) {
    const keys = await holderOf(name)
      .prepare('SELECT "from" AS column_name FROM pragma_foreign_key_list(?)')
      .bind(name)
      .all<{ column_name: string }>();
    for (const { column_name } of keys.results) {
      const plan = await holderOf(name)
        .prepare(`EXPLAIN QUERY PLAN SELECT 1 FROM ${name} WHERE ${column_name} = 1`)
        .all<{
          detail: string;
        }>();
      expect(plan.results.map(({ detail }) => detail).join(), `${name}.${column_name}`).toContain('SEARCH');
    }
  }
});

test.each([
  [
    "INSERT INTO users (sub, email, name, secure_level, created_at) VALUES ('s', 'e', 'n', 2, 0)",
    'users_secure_level',
  ],
  [
    "INSERT INTO users (sub, email, name, univ_id, secure_level, created_at) VALUES ('s', 'e', 'n', '20x', 1, 0)",
    'users_univ_id',
  ],
  [
    "INSERT INTO courses (year, semester, subject, subject_en, target) VALUES (2020, 1, 'a', 'b', 1)",
    'courses_year',
  ],
  [
    "INSERT INTO courses (year, semester, subject, subject_en, target) VALUES (2026, 5, 'a', 'b', 1)",
    'courses_semester',
  ],
  [
    "INSERT INTO courses (year, semester, subject, subject_en, target) VALUES (2026, 1, '', 'b', 1)",
    'courses_subject',
  ],
  ["INSERT INTO bridge_keys (bridge_id, key, created_at) VALUES ('b', 'short', 0)", 'bridge_keys_key'],
  [
    'INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at) VALUES (1, 0, 0, 512, 0)',
    'FOREIGN KEY',
  ],
  [
    "INSERT INTO ledger_entries (amount, datetime, description) VALUES (0, '2026-03-02T13:00:00', 'x')",
    'ledger_entries_amount',
  ],
  [
    "INSERT INTO ledger_entries (amount, datetime, description) VALUES (1000000000001, '2026-03-02T13:00:00', 'x')",
    'ledger_entries_amount',
  ],
  [
    "INSERT INTO ledger_entries (amount, datetime, description) VALUES (1, '2026-02-30T13:00:00', 'x')",
    'ledger_entries_datetime',
  ],
  [
    "INSERT INTO ledger_entries (amount, datetime, description) VALUES (1, '2026-03-02', 'x')",
    'ledger_entries_datetime',
  ],
  [
    "INSERT INTO receipts (id, entry_id, name, content_type, size, uploaded_at) VALUES ('../x', 1, 'x', 'image/png', 1, 0)",
    'receipts_id',
  ],
  ["INSERT INTO dues (year, semester, name) VALUES (2026, 3, 'x')", 'dues_semester'],
])('the database itself refuses %s', async (statement, constraint) => {
  await expect(prepare(statement).run()).rejects.toThrow(constraint);
});

test.each([1024, -1, 512.5, 'abc'])('the database itself refuses the raw value %s', async (value) => {
  await env.PLANTS_DB.prepare("INSERT OR IGNORE INTO plants (id, name) VALUES (1, 'basil')").run();
  const insert = env.PLANTS_DB.prepare(
    'INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at) VALUES (1, 0, 0, ?, 0)',
  ).bind(value);
  await expect(insert.run()).rejects.toThrow(/CHECK|cannot store/);
});
