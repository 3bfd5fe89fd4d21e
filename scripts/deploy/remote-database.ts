import { findDatabase } from './account.ts';
import { NO_ID, readParts, writeDatabaseConfig } from './parts.ts';

/**
 * A configuration by which wrangler reaches the deployed database: the tracked one holds no account's id, so the
 * account is asked.
 * @returns path of the file, and what it says
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
