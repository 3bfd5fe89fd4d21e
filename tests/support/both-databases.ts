import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { DATABASES, openLocalD1, type DatabaseName } from '../../scripts/database/local-d1.ts';

/** Calls `read` with each database of a data folder. */
export const inBoth = <T>(dataDir: string, read: (db: DatabaseSync, database: DatabaseName) => T): T[] =>
  DATABASES.map((database) => {
    const db = openLocalD1(dataDir, { database, readOnly: true });
    try {
      return read(db, database);
    } finally {
      db.close();
    }
  });

/** Runs SQL on a database of a data folder. The product may be running. */
export function change(dataDir: string, sql: string, database: DatabaseName = 'DB'): void {
  const db = openLocalD1(dataDir, { database });
  try {
    db.exec(sql);
  } finally {
    db.close();
  }
}

/** Runs one statement with values on DB. */
export function store(dataDir: string, sql: string, ...values: SQLInputValue[]): void {
  const db = openLocalD1(dataDir);
  try {
    db.prepare(sql).run(...values);
  } finally {
    db.close();
  }
}

/** Rows of a database of a data folder. The product may be running. */
export function selected(dataDir: string, sql: string, database: DatabaseName = 'DB') {
  const db = openLocalD1(dataDir, { database, readOnly: true });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

/** Adds PLANTS_DB to the names of its tables, because both databases have a table of migrations. */
export const namedApart = <T>(tables: Record<string, T>, database: DatabaseName): Record<string, T> =>
  Object.fromEntries(
    Object.entries(tables).map(([name, value]) => [database === 'DB' ? name : `PLANTS_DB.${name}`, value]),
  );
