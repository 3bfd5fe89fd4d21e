import { DATABASES, ensureLocalD1, hasLocalD1, openLocalD1, type DatabaseName } from './local-d1.ts';
import { appliedIn, migrateFile, MIGRATIONS, refuseUnreleased } from './migrate.ts';

/**
 * Brings the databases of a data folder to this version.
 * @returns names of the applied migrations
 * @throws Error naming the migration that failed; running it again goes on from there
 */
export function migrateLocal(dataDir: string): string[] {
  ensureLocalD1(dataDir);
  return DATABASES.flatMap((database) =>
    inFile(dataDir, database, (db) => migrateFile(db, MIGRATIONS[database])),
  );
}

/** @throws Error when a version that this one cannot go on from has made the data folder */
export function refuseUnreleasedFolder(dataDir: string): void {
  for (const database of DATABASES)
    if (hasLocalD1(dataDir, database))
      refuseUnreleased(inFile(dataDir, database, appliedIn), database, {
        what: `the data folder ${dataDir}`,
        way: 'begin with another DATA_DIR',
      });
}

function inFile<T>(
  dataDir: string,
  database: DatabaseName,
  use: (db: ReturnType<typeof openLocalD1>) => T,
): T {
  const db = openLocalD1(dataDir, { database });
  try {
    return use(db);
  } finally {
    db.close();
  }
}
