import * as z from 'zod';

/** Which databases the directory of groups names: where each is, and where it is on its way to. */
export const NAMED_HOMES = `SELECT plant_group, home FROM plant_homes
  UNION ALL SELECT plant_group, moving_to FROM plant_homes WHERE moving_to IS NOT NULL`;

const namedHomes = z.array(z.object({ plant_group: z.string(), home: z.string() }));

/**
 * A group in a database for which `isMeant` holds.
 * @param rows what NAMED_HOMES has found
 */
export const groupIn = (rows: unknown, isMeant: (home: string) => boolean) =>
  namedHomes.parse(rows).find(({ home }) => isMeant(home));
