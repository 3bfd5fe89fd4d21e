import type { D1Database } from '@cloudflare/workers-types';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANY_AUTHOR } from '../../scripts/backup/author.ts';
import { tableDigest, tableNames } from '../../scripts/backup/archive.ts';
import { quoteId } from '../../scripts/backup/cells.ts';
import { restoreDumpedTexts } from '../../scripts/backup/dumped-texts.ts';
import { openLocalStore } from '../../scripts/backup/local-store.ts';
import { createBackup } from '../../scripts/backup/make-archive.ts';
import { executeSqlDump, writeSqlDump } from '../../scripts/backup/remote-store.ts';
import { restoreArchive } from '../../scripts/backup/restore.ts';
import { archivePart } from '../../scripts/backup/both-databases.ts';
import { DATABASES, ensureLocalD1, localD1File, openLocalD1 } from '../../scripts/database/local-d1.ts';
import { change, inBoth, namedApart } from '../support/both-databases.ts';
import { makeDataFolder } from '../support/data-folder.ts';
import { rowsSince } from '../deploy/upgrade-rows.ts';
import { openLocalBindings } from '../support/local-bindings.ts';
import { sharedStack } from '../support/shared-stack.ts';

const stack = sharedStack('empty');
const silent = () => undefined;
const listener = { say: silent, begin: silent };
const place = mkdtempSync(join(tmpdir(), 'cps-lab-exact-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Every row as text from SQLite, so that no JavaScript type has changed a value: texts and blobs in hex. */
function words(db: DatabaseSync): Record<string, unknown[]> {
  const spelled = (table: string) =>
    db
      .prepare('SELECT name FROM pragma_table_info(?) ORDER BY name')
      .all(table)
      .map(({ name }) => quoteId(String(name)))
      .map(
        (name) =>
          `typeof(${name}) || ' ' || iif(typeof(${name}) IN ('text', 'blob'), hex(${name}), quote(${name}))`,
      )
      .join(" || ', ' || ");
  return Object.fromEntries(
    tableNames(db).map((table) => [
      table,
      db
        .prepare(`SELECT ${spelled(table)} AS words FROM ${quoteId(table)} ORDER BY words`)
        .all()
        .map((row) => row['words']),
    ]),
  );
}

/** The rows of both databases. */
const wordsOf = (dataDir: string): Record<string, unknown[]> =>
  Object.assign({}, ...inBoth(dataDir, (db, database) => namedApart(words(db), database)));

/** The beginning of the detail of the access log's row about a restore. */
const OF_RESTORE = Buffer.from('{"restored":{').toString('hex').toUpperCase();

/** The tables without the rows that a backup and a restore add on purpose. */
const kept = (tables: Record<string, unknown[]>) =>
  Object.fromEntries(
    Object.entries(tables)
      .filter(([name]) => !['backups', 'sessions', 'outbox', 'sqlite_sequence'].includes(name))
      .map(([name, rows]) => [name, rows.filter((row) => !String(row).includes(OF_RESTORE))]),
  );

/** Makes a backup, deletes the data folder, and restores the backup into another folder. */
async function there(dataDir: string, target: string): Promise<void> {
  const store = await openLocalStore(dataDir);
  const archive = await createBackup(store, join(place, 'backups'), listener);
  await store.close();
  rmSync(dataDir, { recursive: true });
  const fresh = await openLocalStore(target, { claim: true });
  await restoreArchive(fresh, {
    archive,
    overwrite: undefined,
    keepReceivers: true,
    author: ANY_AUTHOR,
    say: silent,
  });
  await fresh.close();
}

let filled: string | undefined;

/** A data folder with the data of a laboratory. It is made once, and then copied. */
async function newLaboratory(dataDir: string): Promise<void> {
  if (filled === undefined) {
    filled = join(place, 'filled');
    await makeDataFolder(filled);
    for (const database of DATABASES)
      for (const sql of Object.values(rowsSince[database])) change(filled, sql, database);
  }
  cpSync(filled, dataDir, { recursive: true });
}

const HOSTILE_TEXTS = [
  'NUL \0 and after it \0',
  '‮bidi⁦ \u{1F469}‍\u{1F52C} 가각힣 ﷽',
  String.raw`a spelled \n and \r` + '\n and a real one\r\n',
  `quotes ' '' " ; -- /* \\`,
  '﻿BOM',
  'x'.repeat(300),
];
/** Extreme values for a column, if its CHECK allows them. */
const EXTREMES: Record<string, SQLInputValue[]> = {
  INTEGER: [
    -(2n ** 63n),
    2n ** 63n - 1n,
    -(2n ** 53n),
    2n ** 53n + 1n,
    -1n,
    0n,
    1n,
    1023n,
    10n ** 12n,
    -(10n ** 12n),
    2050n,
  ],
  REAL: [
    5e-324,
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
    Infinity,
    -Infinity,
    0.1 + 0.2,
    2 ** 53 + 2,
    -0,
    99.99999999999999,
  ],
};
/** As SQL, because node:sqlite would convert every text to valid Unicode. */
const TEXTS = [
  ...HOSTILE_TEXTS.map((text) => `CAST(X'${Buffer.from(text).toString('hex')}' AS TEXT)`),
  // Lone surrogates, and invalid UTF-8.
  "CAST(X'eda080edb080' AS TEXT)",
  "CAST(X'fffe00c328' AS TEXT)",
  "''",
];

/**
 * Writes an extreme value into each column of each row, another value in each round.
 * @returns columns that allow no extreme value
 */
function fill(db: DatabaseSync, round: number): string[] {
  const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${quoteId(String(name))}`);
  db.exec('PRAGMA foreign_keys = OFF; BEGIN');
  const untouched: string[] = [];
  let turn = round;
  for (const table of tableNames(db).filter((name) => !/^(d1_migrations|sqlite_)/.test(name))) {
    const columns = db.prepare('SELECT name, type, pk FROM pragma_table_info(?)').all(table);
    // After the largest id, no further id exists: a backup or a restore could not add its row.
    const isNoted = ['backups', 'access_log'].includes(table);
    const filled = columns.filter(({ name }) => !isNoted || name !== 'id');
    // Keys last, because the other statements find the row by its key.
    for (const { name, type } of filled.toSorted((a, b) => Number(a['pk']) - Number(b['pk']))) {
      const column = quoteId(String(name));
      const values = type === 'TEXT' ? TEXTS : (EXTREMES[String(type)] ?? []);
      const rows = db.prepare(`SELECT count(*) AS n FROM ${quoteId(table)}`).get()?.['n'];
      expect(rows, `nothing stands in ${table}: fill it in tests/deploy/upgrade-rows.ts`).not.toBe(0);
      let taken = 0;
      for (let row = 0; row < Math.min(Number(rows), 20); row++) {
        for (let attempt = 0; attempt < values.length; attempt++) {
          const value = values[turn++ % values.length] ?? null;
          const isSql = type === 'TEXT';
          const keys = columns.filter(({ pk }) => pk !== 0).map((key) => quoteId(String(key['name'])));
          const which = `(${keys.join(', ')}) = (SELECT ${keys.join(', ')} FROM ${quoteId(table)} LIMIT 1 OFFSET ${row})`;
          try {
            const update = db.prepare(
              `UPDATE ${quoteId(table)} SET ${column} = ${typeof value === 'string' ? value : '?'} WHERE ${which}`,
            );
            taken += Number(update.run(...(isSql ? [] : [value])).changes);
            break;
          } catch (error) {
            // A CHECK refuses the value, or the key exists already.
            if (!/constraint failed|malformed JSON|integer overflow/.test(String(error))) throw error;
          }
        }
      }
      if (taken === 0) untouched.push(`${table}.${String(name)}`);
    }
  }
  db.exec('COMMIT');
  for (const { sql } of triggers) db.exec(String(sql));
  return untouched;
}

/** Columns whose CHECK allows no extreme value. */
const NARROW = new Set([
  'used_tokens.token_hash',
  'access_log.action',
  'access_log.detail',
  'alerts.key',
  'alerts.kind',
  'alerts.name',
  'bridge_keys.plants',
  'bridge_tasks.task',
  'plant_log.detail',
  'ledger_entries.datetime',
  'ledger_keys.body_hash',
  'pictures.content_type',
  'receipts.content_type',
  'receipts.id',
  'sessions.token_hash',
  'students.id',
  'subjects.department',
  'subjects.semester',
  'task_runs.name',
  'users.univ_id',
]);

/** Expects that the SQL dumps for the deployed databases restore the same rows. */
async function dumpIsTheSame(dataDir: string, round: number): Promise<void> {
  const store = await openLocalStore(dataDir);
  const copy = join(place, `copy-${round}.sqlite`);
  const plants = await store.copyDatabases(copy);
  await store.close();
  const archive = new DatabaseSync(copy);
  for (const database of DATABASES) {
    const dump = join(place, 'extremes.sql');
    writeSqlDump(archive, dump, archivePart(archive, plants, database));
    const dumped = new DatabaseSync(':memory:');
    await executeSqlDump(dumped, dump);
    const db = openLocalD1(dataDir, { database, readOnly: true });
    expect(words(dumped)).toEqual(words(db));
    dumped.close();
    db.close();
  }
  archive.close();
}

describe('an archive is exact', { timeout: 300_000 }, () => {
  test('OPS-3 every form of message that a board may send comes back as it was stored', async () => {
    const board = await connectAsync(stack.brokerUrl, { protocolVersion: 4 });
    const past = '2024-03-02T12:00:00.123+09:00';
    const seqs = [undefined, 0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    const times = [
      undefined,
      past,
      '2015-01-01T00:00:00Z',
      '1970-01-01T00:00:00Z',
      '2099-12-31T23:59:59Z',
      '0000-01-01T00:00:00Z',
    ];
    const forms = times.flatMap((datetime) => seqs.map((seq) => ({ soil_moisture: 512, datetime, seq })));
    const bare = [0, 512, 1023];
    const plants = ['fern', '이끼 \u{1F335}', 'x'.repeat(64), "o'hara--;"];
    for (const plant of plants) {
      const publish = (payload: unknown) =>
        board.publishAsync(`lab/plants/${plant}/soil_moisture`, JSON.stringify(payload), { qos: 1 });
      for (const form of [...bare, ...forms]) await publish(form);
      await publish(
        forms.map((form) => ({
          ...form,
          datetime: form.datetime ?? '2024-05-05T05:05:05Z',
          seq: form.seq ?? 7,
        })),
      );
    }
    await board.endAsync();
    const stored = () => wordsOf(stack.dataDir)['PLANTS_DB.plant_readings']?.length ?? 0;
    const sent = bare.length + forms.length;
    await expect.poll(stored).toBeGreaterThanOrEqual(plants.length * sent);
    // A copy, because the product continues to write.
    const dataDir = join(place, 'told');
    ensureLocalD1(dataDir);
    for (const database of DATABASES) {
      const live = openLocalD1(stack.dataDir, { database });
      await backup(live, localD1File(dataDir, database), { rate: 1_000_000 });
      live.close();
    }
    const before = wordsOf(dataDir);
    expect(before['PLANTS_DB.plant_readings']?.join()).toContain('integer -9007199254740992');
    const target = join(place, 'messages');
    await there(dataDir, target);
    expect(kept(wordsOf(target))).toEqual(kept(before));
  });

  test('OPS-3 every table comes back byte for byte, whatever its CHECKs allow it to hold, here and by the SQL for a deployed one', async () => {
    let refused: string[] | undefined;
    for (let round = 0; round < 3; round++) {
      const dataDir = join(place, `extremes-${round}`);
      await newLaboratory(dataDir);
      const untouched = DATABASES.flatMap((database) => {
        const db = openLocalD1(dataDir, { database });
        const columns = fill(db, round * 7);
        db.close();
        return columns;
      });
      refused = refused?.filter((column) => untouched.includes(column)) ?? untouched;
      const before = wordsOf(dataDir);
      await dumpIsTheSame(dataDir, round);
      await there(dataDir, `${dataDir}-restored`);
      expect(kept(wordsOf(`${dataDir}-restored`))).toEqual(kept(before));
    }
    expect(refused?.filter((column) => !NARROW.has(column))).toEqual([]);
  });

  test('OPS-3 the hash of a table is that of its rows in JSON, whatever version proves it', async () => {
    const dataDir = join(place, 'hashed');
    await newLaboratory(dataDir);
    inBoth(dataDir, (db) => {
      for (const table of tableNames(db)) {
        const columns = db.prepare('SELECT name, pk FROM pragma_table_info(?) ORDER BY pk, cid').all(table);
        const keys = columns.filter(({ pk }) => pk !== 0).map(({ name }) => quoteId(String(name)));
        const values = columns.map(({ name }) => quoteId(String(name))).toSorted();
        const order = keys.length > 0 ? keys.join(', ') : 'rowid';
        const hash = createHash('sha256');
        for (const row of db
          .prepare(`SELECT ${values.join(', ')} FROM ${quoteId(table)} ORDER BY ${order}`)
          .all())
          hash.update(JSON.stringify(Object.values(row)));
        expect(tableDigest(db, table).sha256, table).toBe(hash.digest('hex'));
      }
    });
  });
});

describe('an export of D1', () => {
  const dataDir = join(place, 'exported');
  let d1: D1Database;
  let plants: D1Database;
  let dispose: () => Promise<void>;
  beforeAll(async () => {
    await newLaboratory(dataDir);
    ({ d1, plants, dispose } = await openLocalBindings(dataDir));
  });
  afterAll(() => dispose());

  test('OPS-3 is read as what D1 holds, also where its own words are ambiguous', async () => {
    for (const [index, text] of HOSTILE_TEXTS.entries()) {
      await d1
        .prepare(
          "INSERT INTO ledger_entries (amount, datetime, description) VALUES (1, '2026-03-02T13:00:00', ?)",
        )
        .bind(text)
        .run();
      await plants
        .prepare('INSERT INTO plants (name) VALUES (?)')
        .bind(`${text.slice(0, 50)}${index}`)
        .run();
      await d1
        .prepare(
          `INSERT INTO access_log (at, address, action, subject, subject_id, detail)
           VALUES (?1, ?2, 'read', 'user', ?2, ?3)`,
        )
        .bind(2 ** 53, text, JSON.stringify({ text }))
        .run();
      await plants
        .prepare(
          `INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
           VALUES (1, ?, ?, 5, 6)`,
        )
        .bind(1000 + index, index % 2 === 0 ? -(2 ** 53) : Number.MAX_SAFE_INTEGER)
        .run();
    }
    for (const [database, binding] of [
      ['DB', d1],
      ['PLANTS_DB', plants],
    ] as const) {
      // The same statement as that of `wrangler d1 export`.
      const [[...statements] = []] = await binding
        .prepare('PRAGMA miniflare_d1_export(?,?,?);')
        .bind(0, 0)
        .raw<string[]>();
      const dump = join(place, `export-${database}.sql`);
      writeFileSync(dump, statements.join('\n'));
      expect(readFileSync(dump, 'utf8')).toContain('\0');
      const copy = new DatabaseSync(join(place, `export-${database}.sqlite`));
      await executeSqlDump(copy, dump);
      await restoreDumpedTexts(copy, binding);
      const db = openLocalD1(dataDir, { database, readOnly: true });
      expect(kept(words(copy))).toEqual(kept(words(db)));
      db.close();
      copy.close();
    }
  });
});
