import { PlantsOnTheWay } from '#contract/errors';
import { groupOf } from '#contract/plant-group';
import { groupsGone, homesToChange, type Bindings } from '#db/homes';
import { storeReadings, type Outcome, type Row } from './readings-data.ts';

const NOT_TOLD: ReadonlySet<string> = new Set();

/** Tells the screens which plants have new readings, by their topics. */
type Tell = (topics: readonly string[]) => void | Promise<void>;

/** What became of a row; those whose group is `on the way` to another database must come again. */
export type HomeOutcome = Outcome | 'on the way';

/**
 * Stores readings where their plants are: all or none of a database, without those of groups on the way. What was stored
 * before one failed is a duplicate when it comes again, so screens are told of it at once.
 * @returns what became of each row
 */
export async function storeInHomes(env: Bindings, rows: readonly Row[], tell: Tell): Promise<HomeOutcome[]> {
  const outcomeOf = new Map<Row, HomeOutcome>();
  // oxlint-disable-next-line no-await-in-loop -- each turn knows of one more group that leaves
  for (let left = rows; left.length > 0;) left = await storeByHome(env, left, outcomeOf, tell);
  return rows.map((row) => outcomeOf.get(row) ?? missing());
}

/** @returns rows that were not stored because of others, whose group is on the way */
async function storeByHome(
  env: Bindings,
  rows: readonly Row[],
  outcomeOf: Map<Row, HomeOutcome>,
  tell: Tell,
): Promise<Row[]> {
  const left: Row[] = [];
  const homeOf = await homesToChange(
    env,
    rows.map(({ plant }) => groupOf(plant)),
  );
  for (const [home, there] of Map.groupBy(rows, ({ plant }) => homeOf(plant))) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- a database that fails leaves the others unasked
      const outcomes = await storeReadings(home.db, there, home.isOneOfSeveral);
      there.forEach((row, at) => outcomeOf.set(row, outcomes[at] ?? missing()));
    } catch (error) {
      if (!(error instanceof PlantsOnTheWay)) throw error;
      // oxlint-disable-next-line no-await-in-loop -- as above
      const gone = await groupsGone(home.db).catch(() => NOT_TOLD);
      const isGone = ({ plant }: Row) => gone.has(groupOf(plant));
      // When that cannot be told, or has changed meanwhile, all wait.
      const waiting = there.some(isGone) ? there.filter(isGone) : there;
      for (const row of waiting) outcomeOf.set(row, 'on the way');
      left.push(...there.filter((row) => !outcomeOf.has(row)));
    }
    const stored = there.filter((row) => outcomeOf.get(row) === 'stored');
    // oxlint-disable-next-line no-await-in-loop -- as above
    await tell([...new Set(stored.map(({ plant }) => plant))]);
  }
  return left;
}

function missing(): never {
  throw new Error('a row has no outcome');
}
