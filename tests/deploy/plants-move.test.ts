import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { addPlants } from '../../scripts/backup/both-databases.ts';
import { ensureLocalD1, localD1File, openLocalD1 } from '../../scripts/local-d1.ts';
import { migrateFile } from '../../scripts/migrate.ts';
import { allowDrop, beginMove, isToMove, movePlants, type Side } from '../../scripts/plants-move.ts';
import { upgradeLocal } from '../../scripts/upgrade-local.ts';
import { laboratoryBefore, lastMigration, MOVED, rowsIn } from './laboratory-before.ts';
import { plantsRowsSince } from './upgrade-rows.ts';

const place = mkdtempSync(join(tmpdir(), 'cps-lab-move-'));
afterAll(() => rmSync(place, { recursive: true }));
const laboratory = (name: string, readings = 45_000) => laboratoryBefore(place, name, readings);

function inDatabase<T>(dataDir: string, database: 'DB' | 'PLANTS_DB', use: (db: DatabaseSync) => T): T {
  const db = openLocalD1(dataDir, { database });
  try {
    return use(db);
  } finally {
    db.close();
  }
}
const tablesIn = (db: DatabaseSync) =>
  db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name));

class Killed extends Error {}

/** A side whose work breaks off at the given call: before it has done anything, or when all of it is done. */
function sideOf(db: DatabaseSync, dies: () => 'before' | 'after' | undefined): Side {
  return {
    ask: async (selects) => {
      if (dies() !== undefined) throw new Killed();
      return selects.map((select) => db.prepare(select).all());
    },
    run: async (statements) => {
      const when = dies();
      if (when === 'before') throw new Killed();
      db.exec('BEGIN');
      for (const statement of statements) db.exec(statement);
      db.exec('COMMIT');
      if (when === 'after') throw new Killed();
    },
  };
}

describe('plants of an installation that had one database', { timeout: 300_000 }, () => {
  test('OPS-6 SEC-47 move with every row into their own, counted, and what they were in has nothing of them', async () => {
    const dataDir = laboratory('whole');
    const before = inDatabase(dataDir, 'DB', rowsIn);
    const said: string[] = [];
    const applied = await upgradeLocal(dataDir, (line) => said.push(line));
    expect(applied).toEqual([
      ...readdirSync('migrations/plants').filter((name) => name.endsWith('.sql')),
      lastMigration,
    ]);
    expect(inDatabase(dataDir, 'PLANTS_DB', rowsIn)).toEqual(before);
    const groups = inDatabase(dataDir, 'PLANTS_DB', (db) =>
      db.prepare('SELECT DISTINCT plant_group FROM bridge_keys').all(),
    );
    expect(groups).toEqual([{ plant_group: '' }]);
    for (const table of MOVED) expect(said).toContain(`${table}: ${before[table]?.length} rows, as in DB`);
    expect(inDatabase(dataDir, 'DB', tablesIn).filter((name) => MOVED.includes(name))).toEqual([]);
    expect(inDatabase(dataDir, 'PLANTS_DB', (db) => db.prepare('PRAGMA foreign_key_check').all())).toEqual(
      [],
    );
    // The next key has the next number, and a second run has nothing to do.
    inDatabase(dataDir, 'PLANTS_DB', (db) => db.exec(plantsRowsSince['0000_keep_plants_apart.sql'] ?? ''));
    expect(await upgradeLocal(dataDir, (line) => said.push(line))).toEqual([]);
    expect(inDatabase(dataDir, 'PLANTS_DB', rowsIn)).toEqual(before);
  });

  test('OPS-6 SEC-47 killed between any two steps, the next run goes on, and until then nothing is lost or let in', async () => {
    const dataDir = laboratory('killed');
    const before = inDatabase(dataDir, 'DB', rowsIn);
    const main = openLocalD1(dataDir);
    ensureLocalD1(dataDir);
    const plants = openLocalD1(dataDir, { database: 'PLANTS_DB' });
    migrateFile(plants, 'migrations/plants');
    const whole = () => undefined;
    const untouched = { from: sideOf(main, whole), to: sideOf(plants, whole) };
    let runs = 0;
    for (let at = 0; ; at++) {
      let call = 0;
      const dies = () =>
        Math.floor(call++) === Math.floor(at / 2) % 40
          ? at % 2 === 0
            ? ('before' as const)
            : ('after' as const)
          : undefined;
      const sides = { from: sideOf(main, dies), to: sideOf(plants, dies) };
      runs++;
      try {
        await movePlants(sides, () => undefined);
        break;
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
      }
      // Until all is there no key lets a bridge in, and the old database has all of it.
      const keys = plants.prepare('SELECT count(*) AS n FROM bridge_keys').get()?.['n'];
      expect({ keys, old: rowsIn(main) }).toEqual({
        keys: (await isToMove(untouched)) ? 0 : before['bridge_keys']?.length,
        old: before,
      });
    }
    expect(runs).toBeGreaterThan(10);
    expect(rowsIn(plants)).toEqual(before);
    main.close();
    plants.close();
    await upgradeLocal(dataDir, () => undefined);
    expect(inDatabase(dataDir, 'PLANTS_DB', rowsIn)).toEqual(before);
  });

  test('OPS-6 while they move nobody of before writes there, and an archive of then is one of before', async () => {
    const dataDir = laboratory('frozen', 100);
    const main = openLocalD1(dataDir);
    ensureLocalD1(dataDir);
    const plants = openLocalD1(dataDir, { database: 'PLANTS_DB' });
    migrateFile(plants, 'migrations/plants');
    const sides = { from: sideOf(main, () => undefined), to: sideOf(plants, () => undefined) };
    expect(await beginMove(sides)).toBe(true);
    const half = {
      ...sides,
      to: {
        ...sides.to,
        run: (statements: string[]) =>
          statements.some((each) => /plant_states/.test(each))
            ? Promise.reject(new Killed())
            : sides.to.run(statements),
      },
    };
    await expect(movePlants(half, () => undefined)).rejects.toThrow(Killed);
    for (const write of [
      'UPDATE plant_states SET alert_below = 1',
      "INSERT INTO plants (name) VALUES ('late')",
      'DELETE FROM bridge_keys',
    ])
      expect(() => main.exec(write)).toThrow('the plants are moving');
    const copy = join(place, 'frozen.sqlite');
    main.prepare('VACUUM INTO ?').run(copy);
    expect(addPlants(copy, localD1File(dataDir, 'PLANTS_DB'))).toBeUndefined();
    const db = new DatabaseSync(copy);
    expect(rowsIn(db)).toEqual(rowsIn(main));
    db.exec('UPDATE plant_states SET alert_below = 1');
    db.close();
    main.close();
    plants.close();
  });

  test('OPS-6 what differs afterwards is named, and the tables stay; nobody drops what has not moved', async () => {
    const dataDir = laboratory('different', 100);
    const main = openLocalD1(dataDir);
    ensureLocalD1(dataDir);
    const plants = openLocalD1(dataDir, { database: 'PLANTS_DB' });
    migrateFile(plants, 'migrations/plants');
    const sides = { from: sideOf(main, () => undefined), to: sideOf(plants, () => undefined) };
    await allowDrop(sides);
    expect(() => migrateFile(main, 'migrations')).toThrow('the plants are not moved yet');
    const altered = {
      ...sides,
      to: {
        ...sides.to,
        run: async (statements: string[]) => {
          await sides.to.run(statements);
          plants.exec('UPDATE plant_readings SET received_at = received_at + 1');
        },
      },
    };
    await expect(movePlants(altered, () => undefined)).rejects.toThrow(
      /^plant_readings has \d+ rows in DB and \d+ in PLANTS_DB, sums .*: nothing was dropped/,
    );
    await allowDrop(sides);
    expect(() => migrateFile(main, 'migrations')).toThrow('the plants are not moved yet');
    main.close();
    plants.close();
  });

  test('OPS-6 a new installation has nothing to move, and no mark of it', async () => {
    const dataDir = join(place, 'new');
    await upgradeLocal(dataDir, () => undefined);
    expect(inDatabase(dataDir, 'PLANTS_DB', (db) => db.prepare('SELECT * FROM plants_move').all())).toEqual(
      [],
    );
  });
});
