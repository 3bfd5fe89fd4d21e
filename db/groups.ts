import { EVERY_GROUP, OWN_GROUP } from '#contract/plant-group';
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/* Groups of plants in SQL. An id is `group/name`, or the name alone; a removed plant is stored as `/` and its number. */

/** The group of an id; '' is the laboratory's own, and also that of a removed plant. */
export const groupIn = (id: SQLWrapper): SQL<string> => sql`substr(${id}, 1, max(0, instr(${id}, '/') - 1))`;

/** The same of an asked group, or of every one if it is undefined. */
export const isOfAsked = (id: SQLWrapper, group: string | undefined): SQL | undefined =>
  group === undefined ? undefined : isOfGroup(id, group);

/** Whether an id is of a group, or of any, by which an index is searched unless it is the laboratory's own. A removed plant is of none. */
export function isOfGroup(id: SQLWrapper, group: string): SQL {
  if (group === EVERY_GROUP) return sql`substr(${id}, 1, 1) <> '/'`;
  if (group === OWN_GROUP) return sql`instr(${id}, '/') = 0`;
  // '0' follows '/'.
  return sql`${id} > ${`${group}/`} AND ${id} < ${`${group}0`}`;
}
