import { cpSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { contentOf, openArchive, tableNames } from '../../scripts/backup/archive.ts';
import { partOf, whileNothingMoves } from '../../scripts/backup/both-databases.ts';
import { drill } from '../../scripts/backup/drill.ts';
import { openLocalStore } from '../../scripts/backup/local-store.ts';
import { backUp } from '../../scripts/backup/make-archive.ts';
import { runDump, writeDump } from '../../scripts/backup/remote-store.ts';
import { restore } from '../../scripts/backup/restore.ts';
import {
  databasesIn,
  homeNames,
  localD1File,
  openLocalD1,
  type DatabaseName,
} from '../../scripts/local-d1.ts';
import { upgradeLocal } from '../../scripts/upgrade-local.ts';

const silent = () => undefined;
const listener = { say: silent, begin: silent };
const place = mkdtempSync(join(tmpdir(), 'cps-lab-homes-test-'));
afterAll(() => rmSync(place, { recursive: true }));

/** A data folder with so many homes, each with a group of its own. */
async function madeWith(homes: number, name: string): Promise<string> {
  const dataDir = join(place, name);
  await upgradeLocal(dataDir, silent, homes);
  for (const [at, database] of homeNames(homes).entries()) {
    const db = openLocalD1(dataDir, { database });
    const id = at * 2 ** 40 + 7;
    db.exec(`
      INSERT INTO plants (id, name) VALUES (${id}, 'lab-${at}/고사리');
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${500 + at})
      INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at, refused_time)
        SELECT ${id}, 1700000000000 + i * 60000, -9007199254740992, i % 1024, 1700000000001, iif(i % 9, NULL, i) FROM n;
      INSERT INTO plant_months (plant_id, start, until, digest, readings) VALUES (${id}, 0, 5, 'a${at}', 3);
      INSERT OR REPLACE INTO plant_rollup_watermark (id, until) VALUES (1, ${at * 300_000});
      INSERT INTO plant_log (at, address, action, subject, detail) VALUES (1, 'operator', 'change', 'plant', '{}');
      UPDATE plant_states SET alert_below = 12.5, board_online = 1, board_at = 5`);
    db.close();
    if (at === 0) continue;
    const directory = openLocalD1(dataDir, { database: 'PLANTS_DB' });
    directory.exec(`INSERT INTO plant_homes (plant_group, home) VALUES ('lab-${at}', '${database}');
      INSERT INTO plant_groups_gone (plant_group, closed_at) VALUES ('lab-${at}', 5)`);
    directory.close();
  }
  return dataDir;
}

/** Every table's rows in every database, without the log, to which a restore adds a row, and its counter. */
function contents(dataDir: string): Record<string, unknown> {
  return Object.fromEntries(
    databasesIn(dataDir).flatMap((database) => {
      const db = openLocalD1(dataDir, { database, readOnly: true });
      const isOfRestore = (name: string) =>
        (database === 'DB' && ['access_log', 'sqlite_sequence', 'backups', 'drills'].includes(name)) ||
        // Its book of migrations becomes that of PLANTS_DB, which tells of other seconds.
        (database.startsWith('PLANTS_DB_') && name === 'd1_migrations');
      const tables = tableNames(db)
        .filter((name) => !isOfRestore(name))
        .map((name) => [`${database}.${name}`, contentOf(db, name)]);
      db.close();
      return tables;
    }),
  );
}

async function backedUp(dataDir: string): Promise<string> {
  const store = await openLocalStore(dataDir);
  try {
    return await backUp(store, join(dataDir, 'backups'), listener);
  } finally {
    await store.close();
  }
}

async function restored(archive: string, dataDir: string): Promise<void> {
  const store = await openLocalStore(dataDir, { claim: true });
  try {
    await restore(store, { archive, overwrite: 'local', discardNewer: true, say: silent });
  } finally {
    await store.close();
  }
}

test.each([1, 2, 3])(
  'OPS-3 ING-17 an archive of %d homes comes back into an empty folder, row by row',
  async (homes) => {
    const source = await madeWith(homes, `source-${homes}`);
    const archive = await backedUp(source);
    const target = join(place, `target-${homes}`);
    await restored(archive, target);
    expect(contents(target)).toEqual(contents(source));
    expect(databasesIn(target)).toHaveLength(1 + homes);
    // Triggers are there again in each.
    for (const database of databasesIn(target).slice(1)) {
      const db = openLocalD1(target, { database });
      db.exec("INSERT INTO plants (name) VALUES ('이끼')");
      expect(db.prepare('SELECT count(*) AS n FROM plant_states').get()).toEqual({ n: 2 });
      db.close();
    }
  },
);

test.each([
  [1, 3],
  [2, 5],
  [3, 1],
])(
  'OPS-3 ING-17 an archive of %d homes replaces a store of %d: what it has nothing of is empty',
  async (from, into) => {
    const source = await madeWith(from, `source-${from}-${into}`);
    const target = await madeWith(into, `target-${from}-${into}`);
    await restored(await backedUp(source), target);
    const { ...left } = contents(target);
    expect(left).toMatchObject(contents(source));
    for (const database of homeNames(into).slice(from)) {
      const db = openLocalD1(target, { database, readOnly: true });
      const filled = tableNames(db).filter(
        (name) => name !== 'd1_migrations' && name !== 'sqlite_sequence' && contentOf(db, name).rows > 0,
      );
      db.close();
      expect(filled).toEqual([]);
    }
    // It can be backed up again, and comes back the same.
    const again = join(place, `again-${from}-${into}`);
    await restored(await backedUp(target), again);
    expect(contents(again)).toMatchObject(contents(source));
  },
);

test('OPS-3 ING-17 the SQL for deployed databases makes the same tables, also of a home that is to be empty', async () => {
  const source = await madeWith(2, 'source-sql');
  const archive = await backedUp(source);
  const emptied = await madeWith(3, 'emptied-sql');
  await restored(archive, emptied);
  const { db, manifest } = await openArchive(archive, join(place, 'unpacked'));
  expect(manifest.format).toBe(3);
  for (const database of homeNames(3)) {
    const dump = join(place, `${database}.sql`);
    writeDump(db, dump, partOf(db, manifest.plants, database));
    const made = new DatabaseSync(join(place, `${database}.sqlite`));
    // Twice: what is there is replaced.
    for (let times = 0; times < 2; times += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await runDump(made, dump);
    }
    const there = openLocalD1(database === 'PLANTS_DB_3' ? emptied : source, { database });
    // Each home's book of migrations is that of PLANTS_DB, which tells of other seconds.
    for (const name of tableNames(there).filter((each) => each !== 'd1_migrations'))
      expect(contentOf(made, name), name).toEqual(contentOf(there, name));
    there.close();
    made.close();
  }
  db.close();
});

test('OPS-3 ING-17 a drill restores every home', async () => {
  const source = await madeWith(3, 'source-drill');
  const archive = await backedUp(source);
  const store = await openLocalStore(source);
  await drill(store, archive, {}, listener);
  await store.close();
  const db = openLocalD1(source, { readOnly: true });
  expect(db.prepare('SELECT ok FROM drills').all()).toEqual([{ ok: 1 }]);
  db.close();
});

test('OPS-3 ING-17 a damaged home, and one of another version, are no backup', async () => {
  const source = await madeWith(2, 'source-damaged');
  const other = join(place, 'source-other');
  cpSync(source, other, { recursive: true });
  const file = localD1File(source, 'PLANTS_DB_2');
  truncateSync(file, 4096 * 3);
  await expect(backedUp(source)).rejects.toThrow(/malformed|not a database|corrupt/);
  const db = openLocalD1(other, { database: 'PLANTS_DB_2' });
  db.exec("DELETE FROM d1_migrations WHERE name LIKE '0005%'");
  db.close();
  await expect(backedUp(other)).rejects.toThrow('PLANTS_DB_2 has other migrations than PLANTS_DB');
});

test('OPS-3 ING-17 while groups go from one home to another the copy is made again', async () => {
  const directories = [['a'], ['b'], ['b'], ['b']];
  let copies = 0;
  const read = async () => directories.shift() ?? ['b'];
  expect(await whileNothingMoves(read, async () => (copies += 1))).toBe(2);
  let moves = 0;
  await expect(
    whileNothingMoves(
      async () => [(moves += 1)],
      async () => undefined,
    ),
  ).rejects.toThrow('groups of plants move');
});

const names: DatabaseName[] = homeNames(3);
test('OPS-3 ING-17 the homes of a folder are those that there are', async () => {
  const dataDir = await madeWith(3, 'source-names');
  expect(databasesIn(dataDir)).toEqual(['DB', ...names]);
});
