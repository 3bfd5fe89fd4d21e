import type { RosterCourse } from '#contract/students';
import { database, type Statements } from '#db/client';
import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import worker from '../../worker/src/app.ts';
import {
  NORMALIZED_PLANT_COLUMNS,
  normalizeTexts,
  NORMALIZED_COLUMNS,
} from '../../worker/src/tasks/normalize-texts-data.ts';
import { rowsSince } from '../deploy/upgrade-rows.ts';
import { call, signInAdmin } from './client.ts';
import { listed, post, row, undo } from './roster.ts';
import { contents, migrateDatabase, prepare } from './support.ts';

beforeEach(async () => {
  await migrateDatabase();
  await signInAdmin('admin@lab.test');
});
afterEach(() => vi.restoreAllMocks());

/** The text as 0.1 took it from a Mac or a web page: decomposed, with marks that nobody sees. */
const unclean = (text: string) => text.replaceAll(/[가-힣]+/g, (word) => `${word.normalize('NFD')}\u200b`);
const by = { id: null, address: 'system', requestId: 'r' };
const spell = () => normalizeTexts(database(env.DB), by, NORMALIZED_COLUMNS);
const spellPlants = () => normalizeTexts(database(env.PLANTS_DB), by, NORMALIZED_PLANT_COLUMNS);
const run = (sql: string, ...values: (string | number | null)[]) =>
  prepare(sql)
    .bind(...values)
    .run();
const rows = async (sql: string) => (await prepare(sql).all()).results;

/** Tables that nothing may change, that hold no words of people, or of which every change makes another tag. */
const OTHERS =
  /^(access_log|log_reviews|ledger_history|deleted_entries|receipts|alerts|roster_version|ledger_version)$/;

/** A database with what 0.1 and later versions stored, by the spelling of its SQL; without counts of changes, and without topics. */
async function filled(spelling: (sql: string) => string) {
  await migrateDatabase();
  for (const [db, all] of [[env.DB, rowsSince.DB] as const, [env.PLANTS_DB, rowsSince.PLANTS_DB] as const])
    for (const sql of Object.values(all).filter((each) => each !== '')) {
      const statements = spelling(sql).split(/;\s*$/m);
      await db.batch(statements.filter((each) => each.trim() !== '').map((each) => db.prepare(each)));
    }
  const read = async () =>
    Object.fromEntries(
      Object.entries(await contents())
        .filter(([table]) => !OTHERS.test(table))
        .map(([table, all]) => [table, all.map((each) => ({ ...Object(each), version: 0, topic: '' }))]),
    );
  return { stored: await read(), read };
}

test('IMP-8 every text that 0.1 has stored gets its one spelling, and nothing else is changed', async () => {
  const { stored: clean } = await filled((sql) => sql);
  const { stored, read } = await filled(unclean);
  expect(stored).not.toEqual(clean);
  const { spelled, merged } = await spell();
  expect(spelled).toBeGreaterThan(30);
  expect(merged).toBe(0);
  expect(await spellPlants()).toEqual({ spelled: 2, merged: 0 });
  expect(await read()).toEqual(clean);
  expect(await spell()).toEqual({ spelled: 0, merged: 0 });
});

test.each([
  ['first', '자료구조', '다른 이름'],
  ['second', '다른 이름', '자료구조'],
])(
  'IMP-8 IMP-11 a class under two spellings, the %s by 0.1, is one with all of its students, undone import by import',
  async (_, first, second) => {
    await post([row(0, { no: 1, type: '휴학' }), row(1)], { subject: first });
    await post([row(0, { no: 5 }), row(2)], { subject: second });
    for (const table of ['enrolments', 'imports'])
      await run(`UPDATE ${table} SET subject = ? WHERE subject = '다른 이름'`, unclean('자료구조'));
    expect(await spell()).toMatchObject({ merged: 1 });
    const courses: RosterCourse[] = await (await call('/students/courses')).json();
    expect(courses).toMatchObject([{ subject: '자료구조', students: 3 }]);
    const enrolled = () => rows('SELECT student_id, no, type, last_import FROM enrolments ORDER BY 1');
    const [newer, older] = await listed();
    expect(await enrolled()).toMatchObject([
      { student_id: row(0).id, no: 5, last_import: newer?.id },
      { student_id: row(1).id, no: 2, last_import: older?.id },
      { student_id: row(2).id, no: 3, last_import: newer?.id },
    ]);
    expect(await (await call('/access_log?action=delete')).json()).toMatchObject([
      {
        address: 'system',
        subject: 'enrolment',
        detail: { no: [1, null], type: ['휴학', null], filter: { year: 2026, semester: 1 } },
      },
    ]);
    expect(await (await undo(newer?.id)).json()).toMatchObject({ kept: [] });
    expect(await enrolled()).toMatchObject([
      { student_id: row(0).id, no: 1, type: '휴학', last_import: older?.id },
      { student_id: row(1).id, no: 2 },
    ]);
    await undo(older?.id);
    expect(await enrolled()).toEqual([]);
  },
);

test('IMP-8 what differs by spelling alone is one course, one subject and one payer; what was paid twice stays two', async () => {
  for (const subject of ['논리회로', unclean('논리회로')])
    await run(
      `INSERT INTO courses (year, semester, subject, subject_en, target, target_etc)
       VALUES (2026, 1, ?1, 'Logic', 3, ''), (2026, 2, ?1, 'Logic', 0, ?1)`,
      subject,
    );
  for (const [id, room] of [
    ['CS1가', ''],
    [unclean('CS1가'), '공학관'],
  ])
    await run(
      `INSERT INTO subjects (department, year, semester, id, name, grade, type, score, prof, time, classroom, etc)
       VALUES ('cs', 2026, 'fall', ?, '회로', 3, '', 3, '', '', ?, '')`,
      id ?? '',
      room ?? '',
    );
  await run(
    "INSERT INTO ledger_entries (id, amount, datetime, description) VALUES (1, 9, '2026-03-04T13:00:00', '')",
  );
  for (const [name, entry, term] of [
    ['가온', null, 1],
    [unclean('가온'), 1, 1],
    ['나래', 1, 1],
    [unclean('나래'), 1, 1],
    [unclean('다솜'), null, 1],
    ['다솜', null, 2],
  ] as const)
    await run('INSERT INTO dues (year, semester, name, entry_id) VALUES (2026, ?, ?, ?)', term, name, entry);
  expect(await spell()).toMatchObject({ merged: 4 });
  expect(await rows('SELECT semester, subject, target_etc FROM courses ORDER BY id')).toEqual([
    { semester: 1, subject: '논리회로', target_etc: '' },
    { semester: 2, subject: '논리회로', target_etc: '논리회로' },
  ]);
  expect(await rows('SELECT id, classroom FROM subjects')).toEqual([{ id: 'CS1가', classroom: '공학관' }]);
  expect(await rows('SELECT semester, name, entry_id FROM dues ORDER BY semester, name, entry_id')).toEqual([
    { semester: 1, name: '가온', entry_id: 1 },
    { semester: 1, name: '나래', entry_id: 1 },
    { semester: 1, name: '나래', entry_id: 1 },
    { semester: 1, name: '다솜', entry_id: null },
    { semester: 2, name: '다솜', entry_id: null },
  ]);
});

test('IMP-8 a name of which nothing is seen says so, other words are empty then, and two plants stay two', async () => {
  await run("INSERT INTO students (id, name, department) VALUES ('20230001', '\u200b\u3164', '\u2060')");
  await run("INSERT INTO plants (id, name) VALUES (1, '이끼'), (2, ?), (3, '\u200b')", unclean('이끼'));
  await spell();
  await spellPlants();
  expect(await rows('SELECT name, department FROM students')).toEqual([
    { name: '(이름 없음)', department: '' },
  ]);
  expect(await rows('SELECT name FROM plants ORDER BY id')).toEqual([
    { name: '이끼' },
    { name: '이끼 #2' },
    { name: '(이름 없음)' },
  ]);
});

test('IMP-8 OPS-4 it happens at night, and the log says how much', async () => {
  const write = vi.spyOn(console, 'log').mockReturnValue();
  const night = async () => {
    write.mockClear();
    const cron = createScheduledController({ cron: '17 18 * * *' });
    await worker.scheduled(cron, { ...env, LOG_LEVEL: 'info' });
    return write.mock.calls.map(([line]) => JSON.parse(String(line)));
  };
  await run('INSERT INTO students (id, name) VALUES (?, ?)', '20230001', unclean('가온'));
  expect(await night()).toMatchObject([{ event: 'task_done', spelled: 1, merged: 0 }]);
  expect(await night()).toMatchObject([{ event: 'task_done', spelled: 0, merged: 0 }]);
});

test('IMP-8 what a killed run has left is found by the next one, however much it is', async () => {
  await run(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1100)
     INSERT INTO students (id, name) SELECT printf('2023%04d', n), ? || n FROM numbers`,
    unclean('가온'),
  );
  const db = database(env.DB);
  const { commit } = db;
  let left = 1;
  const killed = Object.assign(db, {
    commit: <Of extends Statements>(statements: Of) => {
      if (left === 0) throw new Error('killed');
      left -= 1;
      return commit(statements);
    },
  });
  await expect(normalizeTexts(killed, by, NORMALIZED_COLUMNS)).rejects.toThrow('killed');
  const { spelled } = await spell();
  expect(spelled).toBeGreaterThan(0);
  expect(spelled).toBeLessThan(1100);
  expect(
    await rows("SELECT count(*) AS n FROM students WHERE name = '가온' || CAST(substr(id, 5) AS INTEGER)"),
  ).toEqual([{ n: 1100 }]);
});
