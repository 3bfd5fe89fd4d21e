import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { DATABASES, openLocalD1, type DatabaseName } from '../../scripts/database/local-d1.ts';
import { migrate, MIGRATION_FOLDERS } from '../../scripts/database/migrate.ts';
import { withFreeLevel } from './changed-clone.ts';
import {
  columnsOf,
  contents,
  databasesApart,
  expectWholeKeys,
  fill,
  migrationsOf,
  schema,
  SCHEMA,
  type Tables,
} from './filled-databases.ts';
import { rowsSince } from './upgrade-rows.ts';

const ROWS = 'tests/deploy/upgrade-rows.ts';
const { place, database } = databasesApart(['DB', 'PLANTS_DB', 'level', 'ours', 'broken']);

/** Unfinished SQL for each column that has no value in any row. */
function unfilled(tables: Tables): string[] {
  return Object.entries(tables).flatMap(([table, columns]) => {
    const empty = Object.keys(columns).filter((name) => columns[name]?.every((value) => value === null));
    if (empty.length === 0) return [];
    return empty.length === Object.keys(columns).length
      ? [`INSERT INTO ${table} (${empty.join(', ')}) VALUES (…);`]
      : [`UPDATE ${table} SET ${empty.map((name) => `${name} = …`).join(', ')} WHERE …;`];
  });
}

/** The migrations and one more of these statements. */
function withNext(of: DatabaseName, name: string, statements: string[]): string {
  const folder = mkdtempSync(join(place, 'next-'));
  cpSync(MIGRATION_FOLDERS[of], folder, { recursive: true });
  writeFileSync(join(folder, name), statements.join(';\n--> statement-breakpoint\n'));
  return folder;
}

/** The next version of each, made up: a table and a column more. */
const NEXT: Record<DatabaseName, string[]> = {
  DB: [
    'CREATE TABLE `rooms` (`id` integer PRIMARY KEY NOT NULL, `course_id` integer REFERENCES `courses`(`id`)) STRICT',
    "ALTER TABLE `courses` ADD `room` text DEFAULT '' NOT NULL",
    'INSERT INTO `rooms` (`course_id`) SELECT `id` FROM `courses`',
  ],
  PLANTS_DB: [
    'CREATE TABLE `pots` (`id` integer PRIMARY KEY NOT NULL, `plant_id` integer REFERENCES `plants`(`id`)) STRICT',
    'ALTER TABLE `plants` ADD `saucer` integer',
    'INSERT INTO `pots` (`plant_id`) SELECT `id` FROM `plants`',
  ],
};

async function expectKept(db: Parameters<typeof contents>[0], before: Tables): Promise<void> {
  const after = await contents(db);
  for (const { place: column, values } of columnsOf(before)) {
    const [table = '', name = ''] = column.split('.');
    expect(after[table]?.[name], column).toEqual(values);
  }
  await expectWholeKeys(db);
}

// On a busy machine, wrangler starts slowly.
describe('an upgrade from 0.1.0 on', { timeout: 300_000 }, () => {
  test.each(DATABASES)(
    'OPS-6 of %s keeps every row and every column, and the keys that point to them',
    async (name) => {
      const missing = migrationsOf(name).filter((each) => rowsSince[name][each] === undefined);
      expect(missing, `add them to rowsSince in ${ROWS}`).toEqual([]);
      const db = await database(name);
      await fill(db, name);
      const before = await contents(db);
      expect(unfilled(before), `fill them in ${ROWS}`).toEqual([]);
      await expectWholeKeys(db);
      const next = withNext(name, '9000_add_more.sql', NEXT[name]);
      expect(await migrate(db, next)).toEqual(['9000_add_more.sql']);
      await expectKept(db, before);
    },
  );

  test('OPS-6 to a level more, which makes a table anew, keeps every row and every column', async () => {
    const db = await database('level');
    await fill(db, 'DB');
    const before = await contents(db);
    expect(await migrate(db, await withFreeLevel(place))).toHaveLength(1);
    await expectKept(db, before);
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
    expect(booked.map(({ name }) => name)).toEqual(migrationsOf('DB'));
  });

  test('OPS-6 a migration that fails halfway changes nothing, says which it was, and the next good run goes on', async () => {
    const db = await database('broken');
    await fill(db, 'DB');
    const before = { schema: await schema(db), rows: await contents(db) };
    const broken = (statement: string) => [
      ...NEXT.DB,
      "UPDATE `courses` SET subject = subject || ' lost'",
      statement,
      'DELETE FROM `database_days`',
    ];
    for (const [statement, reason] of [
      ['CREATE TABEL `nothing`', 'syntax error'],
      ['INSERT INTO `first_admins` (`email`) SELECT `email` FROM `first_admins`', 'UNIQUE'],
      ['DELETE FROM `courses`', 'FOREIGN KEY'],
    ] as const) {
      const folder = withNext('DB', '9000_add_rooms.sql', broken(statement));
      await expect(migrate(db, folder)).rejects.toThrow(
        new RegExp(`^migration 9000_add_rooms.sql failed and was undone: .*${reason}`),
      );
      expect({ schema: await schema(db), rows: await contents(db) }).toEqual(before);
    }

    const mended = withNext('DB', '9000_add_rooms.sql', [...NEXT.DB, 'DELETE FROM `database_days`']);
    expect(await migrate(db, mended)).toEqual(['9000_add_rooms.sql']);
    expect(await contents(db)).toMatchObject({
      rooms: {},
      database_days: { day: [] },
      users: before.rows['users'],
    });
    expect(await migrate(db, mended)).toEqual([]);
  });
});
