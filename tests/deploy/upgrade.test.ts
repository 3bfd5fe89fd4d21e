import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { openLocalD1 } from '../../scripts/local-d1.ts';
import { migrate } from '../../scripts/migrate.ts';
import { AFTER_THE_MOVE } from '../../scripts/plants-move.ts';
import { isFull, shareOrAll } from '../support/counts.ts';
import { withFreeLevel } from './changed-clone.ts';
import {
  columnsOf,
  contents,
  expectWholeKeys,
  filled,
  migrations,
  moveOut,
  run,
  schema,
  SCHEMA,
  TOGETHER,
  type Tables,
  upgradePlace,
} from './old-versions.ts';
import { CHANGE_COLUMNS, CHANGED_ON_PURPOSE, NOON, rowsSince } from './upgrade-rows.ts';

const ROWS = 'tests/deploy/upgrade-rows.ts';
const newest = migrations.length - 1;
/** What has moved out with the plants. */
const LEFT =
  /^(plants|plant_\w+|bridge_keys|bridge_heartbeats|receiver_plants|refused_readings|sqlite_sequence\.bridge_keys)(\.|$)/;
const { place, database, folderAt } = upgradePlace(
  [
    ...migrations.keys(),
    'grown',
    'born',
    'doubled',
    'rebuilt',
    'named',
    'logged',
    'chosen',
    'ours',
    'broken',
  ].map(String),
);
/** The step after the newest: what `npm run migration` writes for one more secure level, which makes `users` anew. */
const NEXT = migrations.length;
let withNext = '';
beforeAll(async () => {
  withNext = await withFreeLevel(place);
});

/** SQL to complete, for each column in which nothing stands. */
function unfilled(tables: Tables): string[] {
  return Object.entries(tables).flatMap(([table, columns]) => {
    const empty = Object.keys(columns).filter((name) => columns[name]?.every((value) => value === null));
    if (empty.length === 0) return [];
    return empty.length === Object.keys(columns).length
      ? [`INSERT INTO ${table} (${empty.join(', ')}) VALUES (…);`]
      : [`UPDATE ${table} SET ${empty.map((name) => `${name} = …`).join(', ')} WHERE …;`];
  });
}

// Starting wrangler takes a busy machine its time.
describe('an upgrade', { timeout: 300_000 }, () => {
  test(`OPS-6 is tried with rows for each migration: each has its entry in ${ROWS}`, () => {
    const missing = migrations.filter((name) => rowsSince[name] === undefined);
    expect(missing, `add to rowsSince: ${missing.map((name) => `'${name}': \`…\`,`).join(' ')}`).toEqual([]);
    expect(Object.keys(rowsSince)).toEqual(migrations);
  });

  // The newest each time, for whoever writes it; those before it are never changed again.
  test.for(isFull ? [...migrations.keys()] : [...shareOrAll(1, [...migrations.keys()].slice(0, -1)), newest])(
    'OPS-6 from migration %i to the newest, and to a level more, keeps every row and every column, step by step',
    async (from) => {
      const db = await database(String(from));
      await filled(db, folderAt, from);
      let before = await contents(db);
      expect(unfilled(before), `add to '${migrations[from]}' in ${ROWS}`).toEqual([]);
      await expectWholeKeys(db);
      for (const step of [...migrations.keys(), NEXT].slice(from + 1)) {
        if (step === TOGETHER + 1) await moveOut(db);
        const applied = await migrate(db, step === NEXT ? withNext : folderAt(step));
        const [name = ''] = applied;
        expect(applied).toEqual([migrations[step] ?? name]);
        const after = await contents(db);
        for (const { place, values } of columnsOf(before)) {
          if (CHANGED_ON_PURPOSE[name]?.includes(place)) continue;
          if (name.endsWith(AFTER_THE_MOVE) && LEFT.test(place)) continue;
          const [table = '', column = ''] = place.split('.');
          expect(
            after[table]?.[column],
            `${name} changed ${place}; if it must, say so in CHANGED_ON_PURPOSE`,
          ).toEqual(values);
        }
        await expectWholeKeys(db);
        before = after;
      }
    },
  );

  test('OPS-6 a database that grew with the product equals one that was born with the newest version', async () => {
    const grown = await database('grown');
    for (const [index, name] of migrations.slice(0, TOGETHER + 1).entries()) {
      await migrate(grown, folderAt(index));
      await run(grown, rowsSince[name] ?? '');
    }
    const born = await database('born');
    await filled(born, folderAt, TOGETHER);
    for (const db of [grown, born]) {
      await moveOut(db);
      await migrate(db, 'migrations');
      for (const name of migrations.slice(TOGETHER + 1)) await run(db, rowsSince[name] ?? '');
    }

    expect(await schema(grown)).toEqual(await schema(born));
    const expected = columnsOf(await contents(born)).filter(({ place }) => !CHANGE_COLUMNS.has(place));
    const found = columnsOf(await contents(grown)).filter(({ place }) => !CHANGE_COLUMNS.has(place));
    expect(found).toEqual(expected);
  });

  test('PLT-7 OPS-6 readings from before the rollups are rolled up, what a broker delivered twice counts once', async () => {
    const db = await database('doubled');
    const rollsUp = migrations.findIndex((name) => name.startsWith('0005'));
    await migrate(db, folderAt(rollsUp - 1));
    await run(
      db,
      `INSERT INTO plants (id, name) VALUES (1, 'fern'), (2, 'moss'), (3, 'never heard');
      WITH RECURSIVE steps (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM steps WHERE n < 999)
      INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
      SELECT 1, ${NOON} - n * 3600000, 0, 900 - n % 500, ${NOON} FROM steps;
      INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at, refused_time) VALUES
        (2, ${NOON}, 4, 500, ${NOON}, 7000), (2, ${NOON} + 60000, 4, 500, ${NOON} + 60000, 7000);`,
    );
    await migrate(db, folderAt(TOGETHER));

    const widths = await db
      .prepare('SELECT width, sum(count) AS n FROM plant_rollups GROUP BY width')
      .all<{ n: number }>();
    expect(widths.results.slice(0, 4).map(({ n }) => n)).toEqual(Array.from({ length: 4 }, () => 1001));
    const until = await db.prepare('SELECT until FROM plant_rollup_watermark').first<number>('until');
    expect(until).toBeGreaterThan(Date.now() - 86_700_000);
    const unfinished = db
      .prepare('SELECT count(*) AS n FROM plant_rollups WHERE start + width > ?')
      .bind(until);
    expect(await unfinished.first('n')).toBe(0);
    const states = await db
      .prepare(
        `SELECT name, readings, last_measured_at, last_soil_moisture, last_received_at, alert_since
         FROM plant_states JOIN plants ON plants.id = plant_id ORDER BY name`,
      )
      .raw();
    expect(states).toEqual([
      ['fern', 1000, NOON, 900, NOON, NOON],
      ['moss', 1, NOON, 500, NOON, null],
      ['never heard', 0, null, null, null, null],
    ]);
    const again = `INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at, refused_time)
      VALUES (2, ${NOON} + 90000, 4, 500, ${NOON} + 90000, 7000)`;
    await expect(db.prepare(again).run()).rejects.toThrow('UNIQUE');
  });

  test('ACC-16 OPS-6 the rebuilt ledger keeps receipts and payments, and gives no number of a deleted entry again', async () => {
    const db = await database('rebuilt');
    const rebuilds = migrations.indexOf('0011_allow_empty_descriptions.sql');
    await migrate(db, folderAt(rebuilds - 1));
    for (const name of migrations.slice(0, rebuilds)) await run(db, rowsSince[name] ?? '');
    await run(
      db,
      `INSERT INTO ledger_entries (id, amount, datetime, description) VALUES (41, 5, '2026-03-05T13:00:00', '잘못');
      DELETE FROM ledger_entries WHERE id = 41;`,
    );
    const links = async () => [
      await db.prepare('SELECT id, entry_id FROM receipts ORDER BY id').raw(),
      await db.prepare('SELECT id, entry_id FROM dues ORDER BY id').raw(),
    ];
    const before = await links();
    await migrate(db, folderAt(TOGETHER));

    expect(await links()).toEqual(before);
    await run(
      db,
      `INSERT INTO ledger_entries (amount, datetime, description) VALUES (5, '2026-03-05T13:00:00', '');`,
    );
    const newest = 'SELECT max(id) AS id, (SELECT entries FROM ledger_version) AS count FROM ledger_entries';
    expect(await db.prepare(newest).first()).toEqual({ id: 42, count: 4 });
    await run(db, 'DELETE FROM ledger_entries WHERE id IN (1, 2);');
    expect(await links()).toEqual([
      [],
      [
        [1, null],
        [2, null],
      ],
    ]);
    expect(await db.prepare(newest).first()).toEqual({ id: 42, count: 2 });
  });

  test('SEC-52 names and emails from before are cleaned, and no address becomes another', async () => {
    const db = await database('named');
    const cleans = migrations.indexOf('0013_limit_tokens_claims_and_names.sql');
    await migrate(db, folderAt(cleans - 1));
    const name = ['\u202e나린\u200b솔\r\n ', '가'.repeat(1500), '\u2066\u2069', '나린솔 👩\u200d🔬'];
    const email = ['admin@lab.test\u200b', `${'x'.repeat(300)}@lab.test`, 'c@lab.test', 'd@lab.test'];
    const insert = db.prepare(
      'INSERT INTO users (id, sub, email, name, secure_level, created_at) VALUES (?1, ?1, ?2, ?3, 10, 0)',
    );
    const due = db.prepare('INSERT INTO dues (year, semester, user_id, name) VALUES (2026, 1, ?1, ?2)');
    await db.batch([
      ...name.map((text, at) => insert.bind(at + 1, email[at], text)),
      ...name.map((text, at) => due.bind(at + 1, text)),
    ]);
    await migrate(db, 'migrations');

    const { results } = await db.prepare('SELECT name, email FROM users ORDER BY id').all();
    expect(results).toEqual([
      { name: '나린솔', email: 'admin@lab.test\ufffd' },
      { name: '가'.repeat(100), email: `${'x'.repeat(253)}\ufffd` },
      { name: 'c@lab.test', email: 'c@lab.test' },
      { name: '나린솔 👩\u200d🔬', email: 'd@lab.test' },
    ]);
    const names = await db.prepare('SELECT name FROM dues ORDER BY user_id').raw();
    expect(names.flat()).toEqual(['나린솔', '가'.repeat(100), '이름 없음', '나린솔 👩\u200d🔬']);
  });

  test('PLT-10 OPS-6 whoever had chosen plants keeps the choice, by their topics', async () => {
    const db = await database('chosen');
    const byTopic = migrations.indexOf('0026_remember_chosen_plants_by_topic.sql');
    await migrate(db, folderAt(byTopic - 1));
    for (const name of migrations.slice(0, byTopic)) await run(db, rowsSince[name] ?? '');
    await migrate(db, folderAt(TOGETHER));
    expect(await db.prepare('SELECT * FROM receiver_topics').raw()).toEqual([[2, 'fern']]);
  });

  test('SEC-58 the log from before loses its words, and nothing else of it', async () => {
    const db = await database('logged');
    await migrate(db, folderAt(migrations.indexOf('0014_keep_words_out_of_the_log.sql') - 1));
    const course = { year: 2026, semester: 1, subject: '운영체제' };
    const rows: [action: string, subject: string, before: object, after: object][] = [
      [
        'read',
        'access_log',
        { filter: { person: '한별하', from: 7 } },
        { filter: { person: true, from: 7 } },
      ],
      ['export', 'student', { count: 3, filter: '2026년 1학기 논리, 검색' }, { count: 3, search: true }],
      ['export', 'student', { count: 3, filter: '한별하' }, { count: 3 }],
      ['create', 'enrolment', { filter: course, added: 3 }, { filter: course, added: 3 }],
      ['read', 'enrolment', { filter: course, count: 3 }, { filter: course, count: 3 }],
      ['read', 'enrolment', { filter: { year: 2026, subject: '한별하' } }, { filter: { year: 2026 } }],
      ['create', 'ledger_entry', { amount: [null, 5], description: [null, '한별하'] }, { amount: [null, 5] }],
      ['delete', 'receipt', { file: ['한별하.pdf', null] }, {}],
      ['export', 'due', { reason: '한별하, 서가람 요청' }, { reason: '○○○, ○○○ 요청' }],
      [
        'export',
        'student',
        { reason: '20230001 byeolha@univ.test 010-0000-0001' },
        { reason: '○○○ ○○○ ○○○' },
      ],
      ['change', 'user', { secure_level: [8, 5] }, { secure_level: [8, 5] }],
    ];
    await run(
      db,
      `INSERT INTO students (id, name, tel, email) VALUES ('20230001', '한별하', '010-0000-0001', 'byeolha@univ.test');
      INSERT INTO users (id, sub, email, name, secure_level, created_at) VALUES (1, 's', 'garam@lab.test', '서가람', 1, 0);`,
    );
    const insert = db.prepare(
      "INSERT INTO access_log (id, at, actor_id, address, action, subject, subject_id, detail, request_id) VALUES (?, 9, 1, '192.0.2.7', ?, ?, '7', ?, 'r')",
    );
    await db.batch(
      rows.map(([action, subject, before], at) =>
        insert.bind(at + 1, action, subject, JSON.stringify(before)),
      ),
    );
    const rest = 'SELECT id, at, actor_id, address, action, subject, subject_id, request_id FROM access_log';
    const before = await db.prepare(rest).raw();
    await migrate(db, 'migrations');

    const { results } = await db
      .prepare('SELECT detail FROM access_log ORDER BY id')
      .all<{ detail: string }>();
    expect(results.map(({ detail }): unknown => JSON.parse(detail))).toEqual(
      rows.map(([, , , after]) => after),
    );
    expect(await db.prepare(rest).raw()).toEqual(before);
    await expect(db.prepare("UPDATE access_log SET address = 'x'").run()).rejects.toThrow('append-only');
  });

  test('OPS-6 wrangler, which migrates what is deployed, makes the same tables and leaves nothing to do', async () => {
    const dataDir = join(place, 'wrangler');
    const bin = resolve('node_modules/.bin/wrangler');
    const args = [bin, 'd1', 'migrations', 'apply', 'cps-lab', '--local', '--persist-to', dataDir];
    const env = { ...process.env, NO_COLOR: '1', CI: '1', WRANGLER_SEND_METRICS: 'false' };
    await promisify(execFile)(process.execPath, args, { env });
    const db = openLocalD1(dataDir, { readOnly: true });
    const byWrangler = db.prepare(SCHEMA).all();
    const booked = db.prepare('SELECT name FROM d1_migrations ORDER BY id').all();
    db.close();

    const ours = await database('ours');
    await migrate(ours, 'migrations');
    const tight = (rows: Record<string, unknown>[]) =>
      rows
        .filter(({ name }) => !String(name).includes('d1_migrations'))
        .map(({ name, sql }) => [name, String(sql).replaceAll(/\s+/g, ' ')]);
    expect(tight(byWrangler)).toEqual(tight(await schema(ours)));
    expect(booked.map(({ name }) => name)).toEqual(migrations);
  });

  test('OPS-6 a migration that fails halfway changes nothing, says which it was, and the next good run goes on', async () => {
    const db = await database('broken');
    const folder = folderAt(TOGETHER);
    await migrate(db, folder);
    for (const name of migrations.slice(0, TOGETHER + 1)) await run(db, rowsSince[name] ?? '');
    const before = { schema: await schema(db), rows: await contents(db) };
    const broken = (statement: string) =>
      [
        'CREATE TABLE `pots` (`id` integer PRIMARY KEY NOT NULL) STRICT',
        'ALTER TABLE `plants` ADD `saucer` integer',
        "UPDATE `plants` SET name = name || ' lost'",
        statement,
        'DELETE FROM `courses`',
      ].join(';\n--> statement-breakpoint\n');
    const next = join(folder, '9000_add_pots.sql');

    for (const [statement, reason] of [
      ['CREATE TABEL `nothing`', 'syntax error'],
      ['INSERT INTO `first_admins` (`email`) SELECT `email` FROM `first_admins`', 'UNIQUE'],
      ['DELETE FROM `plants`', 'FOREIGN KEY'],
    ] as const) {
      writeFileSync(next, broken(statement));
      await expect(migrate(db, folder)).rejects.toThrow(
        new RegExp(`^migration 9000_add_pots.sql failed, nothing of it was kept: .*${reason}`),
      );
      expect({ schema: await schema(db), rows: await contents(db) }).toEqual(before);
    }

    writeFileSync(next, broken('SELECT 1').replace(" || ' lost'", ''));
    expect(await migrate(db, folder)).toEqual(['9000_add_pots.sql']);
    expect(await contents(db)).toMatchObject({
      pots: {},
      courses: { id: [] },
      plants: before.rows['plants'],
    });
    expect(await migrate(db, folder)).toEqual([]);
  });
});
