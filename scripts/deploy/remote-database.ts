import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { DATABASES, type DatabaseName } from '../database/local-d1.ts';
import { findDatabases, applyMigrations } from './account.ts';
import { databaseOf, readDeployConfig, trackedDatabaseId, writeDatabaseConfig } from './wrangler-configs.ts';
import { parseJsonOutput, wrangler } from './wrangler.ts';
import { refuseUnreleasedMigrations } from '../database/migrate.ts';

export type RemoteDatabase = { name: string; id: string };

type Found = { config: string; databases: Record<DatabaseName, RemoteDatabase> };

/**
 * Writes a configuration with which wrangler finds the databases of a deployment. The wrangler.toml in git
 * has no ids of databases, so Cloudflare is asked for the ids.
 * @returns the path of the configuration, and the databases
 * @throws Error if the product has not been deployed yet
 */
export async function remoteDatabases(deployment: string): Promise<Found> {
  const parts = readDeployConfig(deployment);
  const found = await findDatabases();
  const place = (binding: DatabaseName): RemoteDatabase => {
    const database = databaseOf(parts.api, binding);
    const { database_name: name } = database;
    const id = trackedDatabaseId(parts, database) ?? found.get(name);
    if (id === undefined) throw new Error(`the account has no database ${name}: run npm run deploy first`);
    return { name, id };
  };
  const databases = { DB: place('DB'), PLANTS_DB: place('PLANTS_DB') };
  const ids = Object.fromEntries(DATABASES.map((binding) => [binding, databases[binding].id]));
  return { config: writeDatabaseConfig(parts, ids), databases };
}

const answerSchema = z.array(z.object({ results: z.array(z.unknown()) }));

type RemoteSql = {
  /** Runs the statements. @returns the rows that the last statement has read */
  rows: (statements: string) => Promise<unknown[]>;
  /**
   * Runs all of the statements, or none. They are in a file that only its owner can read: a list of processes
   * would show a command line to others, and a command line may be too short.
   */
  run: (statements: string[]) => Promise<void>;
};

/** Runs SQL on a database of a deployment, with wrangler. */
export const remoteSql = async (deployment: string, database: DatabaseName) =>
  sqlOf(await remoteDatabases(deployment), database);

/** Like `remoteSql`, for databases that the caller has already found. */
function sqlOf({ config, databases }: Found, database: DatabaseName): RemoteSql {
  const { name } = databases[database];
  const execute = (what: string[]) =>
    wrangler(['d1', 'execute', name, '--remote', '--yes', '--json', '--config', config, ...what]);
  return {
    rows: async (statements) =>
      answerSchema.parse(parseJsonOutput(await execute(['--command', statements]))).at(-1)?.results ?? [],
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

const namesSchema = z.array(z.object({ name: z.string() }));

/**
 * Applies this version's migrations to the databases of a deployment.
 * @throws Error before any change, if a later version or a version that was never released made the databases
 */
export async function migrateRemote(name: string): Promise<void> {
  const found = await remoteDatabases(name);
  for (const database of DATABASES)
    refuseUnreleasedMigrations(await appliedTo(sqlOf(found, database)), database, {
      what: `the deployment ${name}`,
      way: 'deploy under another name (npm run deploy -- --name <name>)',
    });
  for (const database of DATABASES) await applyMigrations(found.config, found.databases[database].name);
}

async function appliedTo({ rows }: RemoteSql): Promise<string[]> {
  const book = await rows("SELECT 1 FROM sqlite_schema WHERE name = 'd1_migrations'");
  if (book.length === 0) return [];
  return namesSchema.parse(await rows('SELECT name FROM d1_migrations')).map(({ name }) => name);
}
