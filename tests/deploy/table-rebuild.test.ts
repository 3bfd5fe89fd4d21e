import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../scripts/database/migrate.ts';
import { dataKeepingStatements } from '../../scripts/database/table-rebuild.ts';
import { shareOrAll } from '../support/counts.ts';
import { cloneWith, FREE_LEVEL, runMigration, withFreeLevel } from './changed-clone.ts';
import {
  contents,
  databasesApart,
  expectWholeKeys,
  fill,
  migrationsOf,
  run,
  schema,
} from './filled-databases.ts';

const { place, database } = databasesApart(['works', 'each']);
const migrations = migrationsOf('DB');

describe('a level more', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await withFreeLevel(place);
  });

  test('is one numbered migration, and the newest snapshot is the only one', () => {
    const number = String(migrations.length).padStart(4, '0');
    expect(readdirSync(folder).filter((name) => !migrations.includes(name))).toEqual([
      `${number}_allow_one_more_level.sql`,
      'meta',
      'plants',
    ]);
    expect(readdirSync(join(folder, 'meta')).sort()).toEqual([`${number}_snapshot.json`, '_journal.json']);
  });

  test('OPS-6 leaves a table of users that works as before and takes the new level', async () => {
    const db = await database('works');
    await fill(db, 'DB');
    const add = (level: number) =>
      db
        .prepare(
          `INSERT INTO users (sub, email, name, secure_level, created_at)
           VALUES ('new-${level}', 'new@lab.test', '나린솔', ${level}, 0) RETURNING id`,
        )
        .first<number>('id');
    await run(
      db,
      `INSERT INTO users (id, sub, email, name, secure_level, created_at) VALUES (41, 's', 'e', 'n', 10, 0);
      DELETE FROM users WHERE id = 41;`,
    );
    await expect(add(FREE_LEVEL)).rejects.toThrow('users_secure_level');
    await migrate(db, folder);

    expect(await add(FREE_LEVEL)).toBe(42);
    await expect(add(11)).rejects.toThrow('users_secure_level');
    for (const statement of [
      'UPDATE users SET secure_level = 5 WHERE id = 1',
      'DELETE FROM users WHERE id = 1',
    ])
      await expect(db.prepare(statement).run()).rejects.toThrow('the last admin stays');
    const again = `INSERT INTO users (sub, email, name, secure_level, created_at) VALUES ('sub-1', 'e', 'n', 10, 0)`;
    await expect(db.prepare(again).run()).rejects.toThrow('users.sub');
    await run(db, 'DELETE FROM users WHERE id IN (2, 7);');
    expect(await db.prepare('SELECT user_id FROM sessions').raw()).toEqual([[1]]);
    expect(await db.prepare('SELECT user_id FROM ledger_keys').raw()).toEqual([]);
    expect(await db.prepare('SELECT user_id, user_deleted_at > 0 FROM dues WHERE id = 1').raw()).toEqual([
      [null, 1],
    ]);
    await expect(
      db
        .prepare(
          "INSERT INTO ledger_keys (user_id, key, body_hash, entry_id) VALUES (99, 'k', hex(zeroblob(32)), 1)",
        )
        .run(),
    ).rejects.toThrow('FOREIGN KEY');
  });

  test('is not written where rows would lack a value, and nothing stays of the attempt', async () => {
    const clone = cloneWith(place, 'db/users.ts', (text) =>
      text
        .replace('sub: text()', 'nickname: text().notNull(),\n    sub: text()')
        .replace('secure_level IN', 'secure_level + 0 IN'),
    );
    const before = readdirSync(join(clone, 'migrations'), { recursive: true });
    await expect(runMigration(clone, 'add_nicknames')).rejects.toThrow(
      'users.nickname is new and has no value',
    );
    expect(readdirSync(join(clone, 'migrations'), { recursive: true })).toEqual(before);
  });
});

/** The SQL that drizzle-kit would write to rebuild a table without a change. */
function rebuildOf(db: DatabaseSync, table: string): string[] {
  const [create = '', ...indexes] = db
    .prepare(
      "SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND type <> 'trigger' AND sql IS NOT NULL ORDER BY type DESC",
    )
    .all(table)
    .map(({ sql }) => String(sql));
  return [
    'PRAGMA foreign_keys=OFF;',
    `${create.replace(/^CREATE TABLE [`"]?\w+[`"]?/, `CREATE TABLE \`__new_${table}\``)};`,
    `INSERT INTO \`__new_${table}\`("id") SELECT "id" FROM \`${table}\`;`,
    `DROP TABLE \`${table}\`;`,
    `ALTER TABLE \`__new_${table}\` RENAME TO \`${table}\`;`,
    'PRAGMA foreign_keys=ON;',
    ...indexes.map((sql) => `${sql};`),
  ];
}

test('OPS-6 whichever table is rebuilt, D1 keeps each row, counter, index, trigger and key', async () => {
  const db = await database('each');
  await fill(db, 'DB');
  const memory = new DatabaseSync(':memory:');
  for (const name of migrations) memory.exec(readFileSync(join('migrations', name), 'utf8'));
  const before = await contents(db);
  const quoted = async () =>
    (await schema(db)).map(({ name, sql }) => [name, typeof sql === 'string' && sql.replaceAll('`', '"')]);
  const objects = await quoted();

  const tables = Object.keys(before).filter((name) => name !== 'sqlite_sequence');
  for (const table of shareOrAll(8, tables)) {
    const folder = join(place, `rebuild-${table}`);
    mkdirSync(folder);
    const statements = dataKeepingStatements(rebuildOf(memory, table), memory);
    writeFileSync(join(folder, `rebuild_${table}.sql`), statements.join('\n--> statement-breakpoint\n'));
    await migrate(db, folder);
    expect(await contents(db), table).toEqual(before);
    expect(await quoted(), table).toEqual(objects);
    await expectWholeKeys(db);
  }
});

describe('a rebuild is refused', () => {
  test.for([
    {
      because: 'tables point at each other in a circle',
      tables: 'CREATE TABLE b (id integer PRIMARY KEY, a integer REFERENCES a ON DELETE CASCADE);',
      create: '`id` integer PRIMARY KEY, `b` integer REFERENCES b ON DELETE SET NULL',
      says: 'a, b, a refer to each other',
    },
    {
      because: 'an index would go that db/ does not know',
      tables: 'CREATE INDEX a_by_b ON a (b);',
      says: 'a_by_b would be dropped with the old a',
    },
    {
      because: 'a trigger elsewhere names a column that goes',
      tables: `CREATE TABLE c (id integer PRIMARY KEY);
        CREATE TRIGGER c_tells AFTER INSERT ON c BEGIN UPDATE a SET b = 1; END;`,
      create: '`id` integer PRIMARY KEY',
      says: 'no such column: b',
    },
    {
      because: 'a foreign key finds its column no more',
      tables: 'CREATE TABLE c (b integer REFERENCES a (id));',
      create: '`b` integer',
      says: 'foreign key mismatch',
    },
    {
      because: 'drizzle-kit wrote it in another way',
      insert: 'DELETE FROM `a`;',
      says: 'drizzle-kit rebuilds a by statements that are not known here',
    },
  ])('where $because', ({ tables = '', create = '`id` integer PRIMARY KEY, `b` integer', insert, says }) => {
    const db = new DatabaseSync(':memory:');
    db.exec(
      `CREATE TABLE a (id integer PRIMARY KEY, b integer ${tables.includes('CREATE TABLE b') ? 'REFERENCES b ON DELETE SET NULL' : ''});`,
    );
    db.exec(tables);
    const statements = [
      `CREATE TABLE \`__new_a\` (${create}) STRICT;`,
      insert ?? 'INSERT INTO `__new_a`("id") SELECT "id" FROM `a`;',
      'DROP TABLE `a`;',
      'ALTER TABLE `__new_a` RENAME TO `a`;',
    ];
    expect(() => dataKeepingStatements(statements, db)).toThrow(new RegExp(says));
  });

  test('where a table goes that others still point to', () => {
    const db = new DatabaseSync(':memory:');
    db.exec(
      'CREATE TABLE a (id integer PRIMARY KEY); CREATE TABLE b (a integer REFERENCES a ON DELETE CASCADE)',
    );
    expect(() => dataKeepingStatements(['DROP TABLE `a`;'], db)).toThrow('dropping a would delete rows of b');
  });
});
