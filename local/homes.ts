import { unstable_getMiniflareWorkerOptions as wranglerOptions } from 'wrangler';
import * as z from 'zod';
import { homeNumber } from '#contract/plant-homes';
import {
  homeNames,
  localDatabaseId,
  openLocalD1,
  plantsDatabases,
  type DatabaseName,
} from '../scripts/local-d1.ts';
import { HELD_ALONE, lostWith, NAMED_HOMES, plantsIn } from '../scripts/plant-homes.ts';
import { unboundEmptied } from '../worker/src/lib/config.ts';

/* The databases among which groups of plants are divided (docs/decisions/0050-several-databases-of-plants.md). */

/** So many databases of plants as are asked for, or as the names that are bound in wrangler.toml count to. */
export const homesToRun = (asked: number, bound: readonly string[]): number =>
  Math.max(asked, ...bound.map((name) => homeNumber(name) ?? 1));

const databasesSchema = z.record(z.string(), z.object({ id: z.string() }));
const trackedDatabases = (path: string) =>
  databasesSchema.parse(wranglerOptions(path).workerOptions.d1Databases);

/** The bindings of databases in both wrangler.toml. */
export const boundDatabases = (): string[] =>
  ['wrangler.toml', 'ingest/wrangler.toml'].flatMap((path) => Object.keys(trackedDatabases(path)));

/** Miniflare's options for a worker's databases, by their bindings: those of its wrangler.toml, and so many of plants. */
export const databasesOf = (path: string, homes: number): Record<string, { id: string }> => ({
  ...trackedDatabases(path),
  ...Object.fromEntries(homeNames(homes).map((name) => [name, { id: localDatabaseId(name) }])),
});

/**
 * @param emptied databases that groups leave
 * @throws Error when one of them is not among the bound ones, when there are plants that nobody could see, or when something
 *   would be lost with a database, because it is not either
 */
export function refuseUnboundHomes(
  dataDir: string,
  bound: readonly string[],
  emptied: readonly string[],
): void {
  const [unbound] = unboundEmptied({ PLANTS_DB_EMPTIED: emptied }, bound);
  if (unbound !== undefined) throw new Error(`${unbound}, or by a higher PLANTS_DATABASES`);
  const rows = (database: DatabaseName, select: string) => {
    const db = openLocalD1(dataDir, { database, readOnly: true });
    try {
      return db.prepare(select).all();
    } finally {
      db.close();
    }
  };
  const away = plantsIn(rows('PLANTS_DB', NAMED_HOMES), (home) => !bound.includes(home));
  if (away)
    throw new Error(
      `${away.plants} are in ${away.home}: start with PLANTS_DATABASES=${homeNumber(away.home)} or more; with PLANTS_DB_EMPTIED=${away.home} beside it groups leave that, in which there are now: ${away.groups}`,
    );
  for (const home of plantsDatabases(dataDir).filter((name) => !bound.includes(name))) {
    const lost = lostWith(home, rows(home, HELD_ALONE));
    if (lost !== undefined)
      throw new Error(`${lost}: start with PLANTS_DATABASES=${homeNumber(home)} or more`);
  }
}
