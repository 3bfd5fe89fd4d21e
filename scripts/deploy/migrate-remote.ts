import { allowDrop, beginMove, movePlants } from '../plants-move.ts';
import { NAMED_HOMES, plantsIn } from '../plant-homes.ts';
import { applyMigrations } from './account.ts';
import { remoteDatabases, remoteSql } from './remote-database.ts';
import { homesOf, readParts, trackedFiles, writeConfigBeforeMove } from './wrangler-configs.ts';

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

/**
 * Looks whether every deployed group of plants is in a database that is bound.
 * @throws Error naming the group and the database that is missing
 */
export async function refuseUnboundHomes(): Promise<void> {
  const parts = readParts();
  const { databases } = await remoteDatabases();
  if (!databases.PLANTS_DB) return;
  const { rows } = await remoteSql('PLANTS_DB');
  const [table] = await rows("SELECT 1 FROM sqlite_schema WHERE name = 'plant_homes'");
  if (table === undefined) return;
  const bound = new Set(homesOf(parts.api).map(({ binding }) => binding));
  const away = plantsIn(await rows(NAMED_HOMES), (home) => !bound.has(home));
  if (away)
    throw new Error(
      `${away.plants} are in ${away.home}, which ${trackedFiles.api} does not bind: nobody would see them`,
    );
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
