import * as z from 'zod';
import { DATABASES } from '../database/local-d1.ts';
import { refuseUnreleased } from '../database/migrate.ts';
import { applyMigrations } from './account.ts';
import { remoteDatabases, sqlOf, type RemoteSql } from './remote-database.ts';

const namesSchema = z.array(z.object({ name: z.string() }));

/**
 * Brings the databases of the deployment of that name to this version.
 * @throws Error before anything is changed, when a version that this one cannot go on from has made them
 */
export async function migrateRemote(name: string): Promise<void> {
  const found = await remoteDatabases(name);
  for (const database of DATABASES)
    refuseUnreleased(await appliedTo(sqlOf(found, database)), database, {
      what: `what is deployed as ${name}`,
      way: 'deploy under another name (npm run deploy -- --name <name>)',
    });
  for (const database of DATABASES) await applyMigrations(found.config, found.databases[database].name);
}

async function appliedTo({ rows }: RemoteSql): Promise<string[]> {
  const book = await rows("SELECT 1 FROM sqlite_schema WHERE name = 'd1_migrations'");
  if (book.length === 0) return [];
  return namesSchema.parse(await rows('SELECT name FROM d1_migrations')).map(({ name }) => name);
}
