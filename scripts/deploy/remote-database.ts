import { findDatabase } from './account.ts';
import { NO_ID, readParts, writeDatabaseConfig } from './wrangler-configs.ts';

/**
 * A configuration with which wrangler can reach the deployed database. The tracked one contains no account's ids, so
 * the account is queried.
 * @returns the file's path, and its content
 * @throws Error when nothing has been deployed yet
 */
export async function remoteDatabase(): Promise<{ config: string; name: string; id: string }> {
  const parts = readParts();
  const [database] = parts.api.d1_databases;
  if (!database) throw new Error('wrangler.toml names no database');
  const { database_name: name, database_id: tracked } = database;
  const id = tracked === NO_ID ? await findDatabase(name) : tracked;
  if (id === undefined) throw new Error(`the account has no database ${name}: run npm run deploy first`);
  return { config: writeDatabaseConfig(parts, id), name, id };
}
