import { allowDrop, beginMove, movePlants } from '../plants-move.ts';
import { applyMigrations } from './account.ts';
import { remoteDatabases, sqlOf } from './remote-database.ts';
import { homesOf, readParts, writeConfigBeforeMove } from './wrangler-configs.ts';

/** Both deployed databases, as the move sees them. */
const sidesOf = (found: Awaited<ReturnType<typeof remoteDatabases>>) => ({
  from: sqlOf(found, 'DB'),
  to: sqlOf(found, 'PLANTS_DB'),
});
export const remoteSides = async () => sidesOf(await remoteDatabases());

/**
 * Migrates all deployed databases. Where there are plants to move bridges wait from then on, and what drops the plants is
 * left for later.
 * @returns whether there are
 */
export async function migrateBeforeMove(): Promise<boolean> {
  const parts = readParts();
  const found = await remoteDatabases();
  const { config, databases } = found;
  await applyMigrations(writeConfigBeforeMove(parts, { DB: databases.DB.id }), databases.DB.name);
  for (const { database_name: name } of homesOf(parts.api)) await applyMigrations(config, name);
  if (await beginMove(sidesOf(found))) return true;
  await applyMigrations(config, databases.DB.name);
  return false;
}

/** Drops from the deployed DB what has moved. */
export async function dropMoved(): Promise<void> {
  const found = await remoteDatabases();
  await allowDrop(sidesOf(found));
  await applyMigrations(found.config, found.databases.DB.name);
}

/** Brings restored databases of the deployed product to this version. */
export async function migrateRemote(say: (line: string) => void): Promise<void> {
  await migrateBeforeMove();
  await movePlants(await remoteSides(), say);
  await dropMoved();
}
