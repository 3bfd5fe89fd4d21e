import { homeNumber } from '#contract/plant-homes';
import { groupsIn, HELD_ALONE, lostWith, NAMED_HOMES, plantsIn } from '../plant-homes.ts';
import { deployedBindings, findDatabases } from './account.ts';
import { remoteDatabases, sqlOf, sqlOn } from './remote-database.ts';
import { emptiedHomes, homesOf, trackedFiles, writeDatabaseConfig, type Parts } from './wrangler-configs.ts';

/* The further databases of plants of the deployed product, and how one is taken away (docs/operations.md). */

/** What the deployed directory of groups names; nothing before there is one. */
async function readDirectory(): Promise<unknown[]> {
  const found = await remoteDatabases();
  if (!found.databases.PLANTS_DB) return [];
  const { rows } = sqlOf(found, 'PLANTS_DB');
  const [table] = await rows("SELECT 1 FROM sqlite_schema WHERE name = 'plant_homes'");
  return table === undefined ? [] : await rows(NAMED_HOMES);
}

/**
 * Looks whether every deployed group of plants is in a database that is bound, and whether nothing is lost with one that is
 * bound no more.
 * @returns a line for each database that groups leave: how many are still there
 * @throws Error naming the database that must stay, why, and the way
 */
export async function lookAtHomes(parts: Parts): Promise<string[]> {
  const file = trackedFiles.api;
  const bound = new Set(homesOf(parts.api).map(({ binding }) => binding));
  const named = await readDirectory();
  const away = plantsIn(named, (home) => !bound.has(home));
  if (away)
    throw new Error(
      `${away.plants} are in ${away.home}, which ${file} does not bind: nobody would see them. ${wayOut(away.home)}; groups in it now: ${away.groups}`,
    );
  const deployed = await deployedBindings(parts.api.name);
  const leftOut = Object.entries(deployed.databases).filter(
    ([name]) => homeNumber(name) !== undefined && !bound.has(name),
  );
  for (const [home, id] of leftOut) {
    if (!emptiedHomes(deployed.variables).includes(home))
      throw new Error(
        `${home} is in use and ${file} does not bind it: a group could go there meanwhile. ${wayOut(home)}`,
      );
    // oxlint-disable-next-line no-await-in-loop -- hardly ever more than one
    const lost = lostWith(home, await heldAlone(parts, home, id));
    if (lost !== undefined) throw new Error(`${lost}: run npm run deploy again after that`);
  }
  return emptiedHomes(parts.api.vars).map((home) => `groups still in ${home}: ${groupsIn(named, home)}`);
}

/** What is said where a clone of the repository knows fewer databases than what is deployed. */
export const unbound = ({ plants, home }: NonNullable<ReturnType<typeof plantsIn>>) =>
  new Error(
    `${plants} are in ${home}, which ${trackedFiles.api} does not bind: nobody would see them here; bind it as where it was deployed from`,
  );

const wayOut = (home: string) =>
  `Bind it again and deploy with PLANTS_DB_EMPTIED = "${home}" under [vars]: groups leave it then (docs/operations.md)`;

/** What a database holds that only the deployed product binds. One that the account has no more holds nothing. */
async function heldAlone(parts: Parts, binding: string, id: string): Promise<unknown[]> {
  const [name] = [...(await findDatabases())].find(([, known]) => known === id) ?? [];
  if (name === undefined) return [{ lines: 0, plants: 0 }];
  const database = { binding, database_name: name, database_id: id, migrations_dir: 'migrations/plants' };
  const api = { ...parts.api, d1_databases: [database] };
  return await sqlOn(name, writeDatabaseConfig({ ...parts, api }, { [binding]: id })).rows(HELD_ALONE);
}
