import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { DatabaseName } from '../local-d1.ts';
import { findDatabases } from './account.ts';
import { databaseOf, isTracked, readParts, writeDatabaseConfig } from './wrangler-configs.ts';
import { jsonIn, wrangler } from './wrangler.ts';

export type RemoteDatabase = { name: string; id: string };

/**
 * A configuration with which wrangler can reach the deployed databases. The tracked one contains no account's ids, so
 * the account is queried.
 * @returns the file's path, and its content; PLANTS_DB is missing before the version that brings it is deployed
 * @throws Error when nothing has been deployed yet
 */
export async function remoteDatabases(): Promise<{
  config: string;
  databases: { DB: RemoteDatabase; PLANTS_DB: RemoteDatabase | undefined };
}> {
  const parts = readParts();
  const found = await findDatabases();
  const of = (database: DatabaseName): RemoteDatabase | undefined => {
    const { database_name: name, database_id: tracked } = databaseOf(parts.api, database);
    const id = isTracked(tracked) ? tracked : found.get(name);
    return id === undefined ? undefined : { name, id };
  };
  const [DB, PLANTS_DB] = [of('DB'), of('PLANTS_DB')];
  if (DB === undefined) throw absent(databaseOf(parts.api, 'DB').database_name);
  const ids = { DB: DB.id, PLANTS_DB: PLANTS_DB?.id };
  return { config: writeDatabaseConfig(parts, ids), databases: { DB, PLANTS_DB } };
}

const absent = (name: string) => new Error(`the account has no database ${name}: run npm run deploy first`);

const answerSchema = z.array(z.object({ results: z.array(z.unknown()) }));

export type RemoteSql = {
  /** @returns what the last statement found */
  rows: (statements: string) => Promise<unknown[]>;
  /**
   * Runs all or none of the statements, in a file readable only by its owner, so that they are in no process list and may
   * be long.
   */
  run: (statements: string[]) => Promise<void>;
};

/**
 * SQL on a deployed database, through wrangler.
 * @throws Error when the account does not have it
 */
export async function remoteSql(database: DatabaseName): Promise<RemoteSql> {
  const { config, databases } = await remoteDatabases();
  const found = databases[database];
  if (found === undefined) throw absent(databaseOf(readParts().api, database).database_name);
  const execute = (what: string[]) =>
    wrangler(['d1', 'execute', found.name, '--remote', '--yes', '--json', '--config', config, ...what]);
  return {
    rows: async (statements) =>
      answerSchema.parse(jsonIn(await execute(['--command', statements]))).at(-1)?.results ?? [],
    run: async (statements) => {
      const place = mkdtempSync(join(tmpdir(), 'cps-lab-change-'));
      try {
        const file = join(place, 'change.sql');
        writeFileSync(file, `${statements.join(';\n')};\n`, { mode: 0o600 });
        await execute(['--file', file]);
      } finally {
        rmSync(place, { recursive: true });
      }
    },
  };
}
