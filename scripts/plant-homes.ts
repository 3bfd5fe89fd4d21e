import { OWN_GROUP } from '#contract/plant-group';
import { homeNumber } from '#contract/plant-homes';
import * as z from 'zod';

/** Which databases the directory of groups names: where each is, and where it is on its way to. */
export const NAMED_HOMES = `SELECT plant_group, home FROM plant_homes
  UNION ALL SELECT plant_group, moving_to FROM plant_homes WHERE moving_to IS NOT NULL`;

/** What a database holds that is nowhere else, or not yet. */
export const HELD_ALONE = `SELECT (SELECT count(*) FROM plant_log) AS lines,
  (SELECT count(*) FROM plant_states) AS plants`;

const namedHomes = z.array(z.object({ plant_group: z.string(), home: z.string() }));
const heldAlone = z.tuple([z.object({ lines: z.int(), plants: z.int() })]);

/** How many groups are in a database or on their way to it. @param rows what NAMED_HOMES has found */
export const groupsIn = (rows: unknown, home: string): number =>
  namedHomes.parse(rows).filter((each) => each.home === home).length;

/**
 * Some plants in the last database for which `isMeant` holds, as a sentence calls them, and how many groups are there. Its
 * number says how many databases there must be.
 * @param rows what NAMED_HOMES has found
 */
export function plantsIn(
  rows: unknown,
  isMeant: (home: string) => boolean,
): { plants: string; home: string; groups: number } | undefined {
  const meant = namedHomes.parse(rows).filter(({ home }) => isMeant(home));
  const [there] = meant.toSorted((a, b) => Number(homeNumber(b.home)) - Number(homeNumber(a.home)));
  if (!there) return undefined;
  const { plant_group: group, home } = there;
  return {
    plants: group === OWN_GROUP ? "the laboratory's own plants" : `the plants of group "${group}"`,
    home,
    groups: groupsIn(rows, home),
  };
}

/**
 * What would be lost with a database that no group is in, as a sentence; undefined when nothing would.
 * @param rows what HELD_ALONE has found
 */
export function lostWith(home: string, rows: unknown): string | undefined {
  const [{ lines, plants }] = heldAlone.parse(rows);
  return lines === 0 && plants === 0
    ? undefined
    : `${home} still has lines for the access log (${lines}) or plants that have just left (${plants}), which takes five minutes while it is bound`;
}
