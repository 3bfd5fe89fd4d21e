import { homeNumber } from '#contract/plant-homes';
import {
  homeNames,
  localDatabaseId,
  openLocalD1,
  plantsDatabases,
  type DatabaseName,
} from '../scripts/local-d1.ts';
import { HELD_ALONE, lostWith, NAMED_HOMES, plantsIn } from '../scripts/plant-homes.ts';
import { WrongSettings } from './failures.ts';
import { workerOptions } from './worker-options.ts';

/* The databases among which groups of plants are divided (docs/decisions/0050-several-databases-of-plants.md). */

/** So many databases of plants as are asked for, or as the names that are bound in wrangler.toml count to. */
export const homesToRun = (asked: number, bound: readonly string[]): number =>
  Math.max(asked, ...bound.map((name) => homeNumber(name) ?? 1));

/** The workers that have databases. */
type Of = 'wrangler.toml' | 'ingest/wrangler.toml';

/** The bindings of databases in both wrangler.toml. */
export const boundDatabases = (): string[] =>
  (['wrangler.toml', 'ingest/wrangler.toml'] as const).flatMap((path) =>
    Object.keys(workerOptions(path).d1Databases),
  );

/** Miniflare's options for a worker's databases, by their bindings: those of its wrangler.toml, and so many of plants. */
export const databasesOf = (path: Of, homes: number): Record<string, { id: string }> => ({
  ...workerOptions(path).d1Databases,
  ...Object.fromEntries(homeNames(homes).map((name) => [name, { id: localDatabaseId(name) }])),
});

/**
 * @param emptied databases that groups leave
 * @throws WrongSettings when one of them is not among the bound ones, when there are plants that nobody could see, or when something
 *   would be lost with a database, because it is not either; all that stand in the way are named
 */
export function refuseUnboundHomes(
  dataDir: string,
  bound: readonly string[],
  emptied: readonly string[],
): void {
  const unbound = emptied.filter((name) => !bound.includes(name));
  if (unbound.length > 0) {
    const wanted = Math.max(...unbound.map((name) => homeNumber(name) ?? 1));
    throw new WrongSettings(
      `PLANTS_DB_EMPTIED names ${unbound.join(', ')}, which ${unbound.length === 1 ? 'is' : 'are'} not there: a name goes out of PLANTS_DB_EMPTIED once that database is away, or start with PLANTS_DATABASES=${wanted} or more`,
    );
  }
  const rows = (database: DatabaseName, select: string) => {
    const db = openLocalD1(dataDir, { database, readOnly: true });
    try {
      return db.prepare(select).all();
    } finally {
      db.close();
    }
  };
  const named = rows('PLANTS_DB', NAMED_HOMES);
  const away = homeNames(99).flatMap((name) => {
    const there = bound.includes(name) ? undefined : plantsIn(named, (home) => home === name);
    return there === undefined ? [] : [there];
  });
  const lost = plantsDatabases(dataDir)
    .filter((name) => !bound.includes(name) && away.every(({ home }) => home !== name))
    .flatMap((home) => {
      const why = lostWith(home, rows(home, HELD_ALONE));
      return why === undefined ? [] : [{ home, why }];
    });
  if (away.length + lost.length === 0) return;
  const inTheWay = [
    ...away.map(({ plants, home, groups }) => `${plants} are in ${home} (groups there now: ${groups})`),
    ...lost.map(({ why }) => why),
  ];
  const wanted = Math.max(...[...away, ...lost].map(({ home }) => homeNumber(home) ?? 1));
  const leave = away.map(({ home }) => home).join(',');
  throw new WrongSettings(
    `PLANTS_DATABASES is too low: ${inTheWay.join('; ')}: start with PLANTS_DATABASES=${wanted} or more${
      leave === '' ? '' : `; with PLANTS_DB_EMPTIED=${leave} beside it groups leave for the others`
    }`,
  );
}
