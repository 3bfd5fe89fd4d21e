import { globSync } from 'node:fs';
import { basename } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { ensureLocalD1, openLocalD1, plantsDatabases, type DatabaseName } from './local-d1.ts';
import { migrateFile } from './migrate.ts';
import { AFTER_THE_MOVE, allowDrop, movePlants, type Side } from './plants-move.ts';

/**
 * Brings the databases of a data folder to this version: migrates all, and moves the plants where they are not in their own
 * yet. Nobody else may write there meanwhile.
 * @param homes so many databases of plants are made where there are fewer
 * @returns names of the applied migrations
 * @throws Error naming the migration or table that failed; running it again goes on from there
 */
export async function upgradeLocal(
  dataDir: string,
  say: (line: string) => void,
  homes = 1,
): Promise<string[]> {
  ensureLocalD1(dataDir, homes);
  const main = openLocalD1(dataDir);
  const plants = openLocalD1(dataDir, { database: 'PLANTS_DB' });
  try {
    const last = basename(globSync(`migrations/*_${AFTER_THE_MOVE}`)[0] ?? '');
    const applied = [...migrateFile(main, 'migrations', last), ...migrateFile(plants, 'migrations/plants')];
    for (const database of plantsDatabases(dataDir)) migrateHome(dataDir, database);
    const sides = { from: sideOf(main), to: sideOf(plants) };
    await movePlants(sides, say);
    await allowDrop(sides);
    const dropped = migrateFile(main, 'migrations');
    // What the plants took is given back to the disk.
    if (dropped.length > 0) main.exec('VACUUM');
    return [...applied, ...dropped];
  } finally {
    main.close();
    plants.close();
  }
}

/** All homes have the same migrations. */
function migrateHome(dataDir: string, database: DatabaseName): void {
  const db = openLocalD1(dataDir, { database });
  try {
    migrateFile(db, 'migrations/plants');
  } finally {
    db.close();
  }
}

function sideOf(db: DatabaseSync): Side {
  return {
    ask: async (selects) => selects.map((select) => db.prepare(select).all()),
    run: async (statements) => {
      db.exec('BEGIN IMMEDIATE');
      try {
        for (const statement of statements) db.exec(statement);
        db.exec('COMMIT');
      } catch (error) {
        // SQLite takes back by itself on a full disk; a second one would hide the first error.
        if (db.isTransaction) db.exec('ROLLBACK');
        throw error;
      }
    },
  };
}
