import { OWN_GROUP } from '#contract/plant-group';
import { homeNumber } from '#contract/plant-homes';
import * as z from 'zod';

/** Which databases the directory of groups names: where each is, and where it is on its way to. */
export const NAMED_HOMES = `SELECT plant_group, home FROM plant_homes
  UNION ALL SELECT plant_group, moving_to FROM plant_homes WHERE moving_to IS NOT NULL`;

const namedHomes = z.array(z.object({ plant_group: z.string(), home: z.string() }));

/**
 * Some plants in the last database for which `isMeant` holds, as a sentence calls them. Its number says how many there must be.
 * @param rows what NAMED_HOMES has found
 */
export function plantsIn(
  rows: unknown,
  isMeant: (home: string) => boolean,
): { plants: string; home: string } | undefined {
  const meant = namedHomes.parse(rows).filter(({ home }) => isMeant(home));
  const [there] = meant.toSorted((a, b) => Number(homeNumber(b.home)) - Number(homeNumber(a.home)));
  if (!there) return undefined;
  const { plant_group: group, home } = there;
  return {
    plants: group === OWN_GROUP ? "the laboratory's own plants" : `the plants of group "${group}"`,
    home,
  };
}
