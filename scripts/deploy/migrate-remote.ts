import { allowDrop, beginMove, movePlants } from '../plants-move.ts';
import { applyMigrations } from './account.ts';
import { remoteDatabases, remoteSql } from './remote-database.ts';
import { homesOf, readParts, writeConfigBeforeMove } from './wrangler-configs.ts';

/** Both deployed databases, as the move sees them. */
export const remoteSides = async () => ({ from: await remoteSql('DB'), to: await remoteSql('PLANTS_DB') });

/**
 * Migrates all deployed databases. Where there are plants to move bridges wait from then on, and what drops the plants is
 * left for later.
 * @returns whether there are
 */
export async function migrateBeforeMove(): Promise<boolean> {
  const parts = readParts();
  const { config, databases } = await remoteDatabases();
  await applyMigrations(writeConfigBeforeMove(parts, { DB: databases.DB.id }), databases.DB.name);
  for (const { database_name: name } of homesOf(parts.api)) await applyMigrations(config, name);
  if (await beginMove(await remoteSides())) return true;
  await applyMigrations(config, databases.DB.name);
  return false;
}

/** Drops from the deployed DB what has moved. */
export async function dropMoved(): Promise<void> {
  await allowDrop(await remoteSides());
  const { config, databases } = await remoteDatabases();
  await applyMigrations(config, databases.DB.name);
}

/** Brings restored databases of the deployed product to this version. */
export async function migrateRemote(say: (line: string) => void): Promise<void> {
  await migrateBeforeMove();
  await movePlants(await remoteSides(), say);
  await dropMoved();
}
