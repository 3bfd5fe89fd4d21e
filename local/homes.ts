import { unstable_getMiniflareWorkerOptions as wranglerOptions } from 'wrangler';
import * as z from 'zod';
import { homeNumber } from '#contract/plant-homes';
import { homeNames, localDatabaseId, openLocalD1 } from '../scripts/local-d1.ts';
import { NAMED_HOMES, plantsIn } from '../scripts/plant-homes.ts';

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

/** @throws Error when there are plants that nobody could see, because their database is not among the bound ones */
export function refuseUnboundHomes(dataDir: string, bound: readonly string[]): void {
  const plants = openLocalD1(dataDir, { database: 'PLANTS_DB', readOnly: true });
  try {
    const away = plantsIn(plants.prepare(NAMED_HOMES).all(), (home) => !bound.includes(home));
    if (away)
      throw new Error(
        `${away.plants} are in ${away.home}: start with PLANTS_DATABASES=${homeNumber(away.home)} or more`,
      );
  } finally {
    plants.close();
  }
}
