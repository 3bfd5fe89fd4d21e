import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { DATABASES, type DatabaseName } from '../local-d1.ts';
import { findDatabases } from './account.ts';
import { databaseOf, isTracked, readParts, writeDatabaseConfig } from './wrangler-configs.ts';
import { jsonIn, wrangler } from './wrangler.ts';

export type RemoteDatabase = { name: string; id: string };

type Found = {
  config: string;
  databases: { DB: RemoteDatabase } & { [Name in DatabaseName]?: RemoteDatabase };
};

/**
 * A configuration with which wrangler can reach the deployed databases. The tracked one contains no account's ids, so
 * the account is queried.
 * @returns the file's path, and its content; what is bound for the first time is missing before it is deployed
 * @throws Error when nothing has been deployed yet
 */
export async function remoteDatabases(): Promise<Found> {
  const parts = readParts();
  const found = await findDatabases();
  const databases = Object.fromEntries(
    parts.api.d1_databases.flatMap(({ binding, database_name: name, database_id: tracked }) => {
      const id = isTracked(tracked) ? tracked : found.get(name);
      return id === undefined ? [] : [[binding, { name, id }] as const];
    }),
  );
  const { DB } = databases;
  if (DB === undefined) throw absent(databaseOf(parts.api, 'DB').database_name);
  const ids = Object.fromEntries(Object.entries(databases).map(([binding, { id }]) => [binding, id]));
  return { config: writeDatabaseConfig(parts, ids), databases: { ...databases, DB } };
}

/** DB, then the databases of plants, PLANTS_DB first. */
export const namesSchema = z
  .array(z.union([z.enum(DATABASES), z.templateLiteral(['PLANTS_DB_', z.number()])]))
  .transform((names) => names.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })));

/** The names of the databases that are deployed. */
export const remoteNames = async (): Promise<DatabaseName[]> =>
  namesSchema.parse(Object.keys((await remoteDatabases()).databases));

const absent = (name: string) => new Error(`the account has no database ${name}: run npm run deploy first`);

const answerSchema = z.array(z.object({ results: z.array(z.unknown()) }));

export type RemoteSql = {
  /** @returns what the last statement found */
  rows: (statements: string) => Promise<unknown[]>;
  /** @returns what each of the queries found */
  ask: (selects: string[]) => Promise<unknown[][]>;
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
export const remoteSql = async (database: DatabaseName) => sqlOf(await remoteDatabases(), database);

/** The same on one of those that were found. */
export function sqlOf({ config, databases }: Found, database: DatabaseName): RemoteSql {
  const found = databases[database];
  if (found === undefined) throw absent(databaseOf(readParts().api, database).database_name);
  return sqlOn(found.name, config);
}

/** The same by a database's name, and a configuration that has it. */
export function sqlOn(name: string, config: string): RemoteSql {
  const execute = (what: string[]) =>
    wrangler(['d1', 'execute', name, '--remote', '--yes', '--json', '--config', config, ...what]);
  const ask = async (statements: string) =>
    answerSchema.parse(jsonIn(await execute(['--command', statements]))).map(({ results }) => results);
  return {
    rows: async (statements) => (await ask(statements)).at(-1) ?? [],
    ask: (selects) => ask(selects.join(';\n')),
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
