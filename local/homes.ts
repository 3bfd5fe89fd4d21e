import * as z from 'zod';
import { homeNames, localDatabaseId, openLocalD1 } from '../scripts/local-d1.ts';

/* The databases among which groups of plants are divided (docs/decisions/0050-several-databases-of-plants.md). */

/** Miniflare's options for so many, by their bindings. */
export const homeOptions = (homes: number): Record<string, { id: string }> =>
  Object.fromEntries(homeNames(homes).map((name) => [name, { id: localDatabaseId(name) }]));

const awaySchema = z.array(z.object({ plant_group: z.string(), home: z.string() }));

/** @throws Error when there are plants that nobody could see, because their database is not among the bound ones */
export function refuseUnboundHomes(dataDir: string, bound: readonly string[]): void {
  const plants = openLocalD1(dataDir, { database: 'PLANTS_DB', readOnly: true });
  try {
    const named = plants.prepare(
      `SELECT plant_group, home FROM plant_homes
       UNION ALL SELECT plant_group, moving_to FROM plant_homes WHERE moving_to IS NOT NULL`,
    );
    const away = awaySchema.parse(named.all()).find(({ home }) => !bound.includes(home));
    if (away)
      throw new Error(
        `the plants of group "${away.plant_group}" are in ${away.home}: start with PLANTS_DATABASES=${away.home.replace(/^\D*/, '')} or more`,
      );
  } finally {
    plants.close();
  }
}
