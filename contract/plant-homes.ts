/* What the databases of plants are called (docs/decisions/0050-several-databases-of-plants.md). */

/** The one that every installation has, and where groups begin. */
export const FIRST_HOME = 'PLANTS_DB';

/** The names of the others have their number, from 2 to 99, at their end. */
const FURTHER = /^PLANTS_DB_([2-9]|[1-9][0-9])$/;

/** The number of a home, by the name of its binding: 1 is PLANTS_DB; undefined when it is no home. */
export const homeNumber = (name: string): number | undefined =>
  name === FIRST_HOME ? 1 : Number(FURTHER.exec(name)?.[1]) || undefined;
