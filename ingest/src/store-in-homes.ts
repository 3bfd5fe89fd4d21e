import { PlantsOnTheWay } from '#contract/errors';
import { groupOf } from '#contract/plant-group';
import { homesToChange, type Bindings } from '#db/homes';
import { storeReadings, type Outcome, type Row } from './readings-data.ts';

/** Tells the screens which plants have new readings, by their topics. */
type Tell = (topics: readonly string[]) => void | Promise<void>;

/**
 * Stores readings where their plants are: all or none of a database, or of a group where some are on their way. What was stored
 * before one failed is a duplicate when it comes again, so screens are told of it at once.
 * @returns what became of each row
 * @throws PlantsOnTheWay when some rows must come again
 */
export async function storeInHomes(env: Bindings, rows: readonly Row[], tell: Tell): Promise<Outcome[]> {
  try {
    return await storeByHome(env, rows, tell);
  } catch (error) {
    const byGroup = Map.groupBy(rows, ({ plant }) => groupOf(plant));
    if (!(error instanceof PlantsOnTheWay) || byGroup.size === 1) throw error;
    // The others need not wait.
    const stored = await Promise.allSettled([...byGroup.values()].map((own) => storeByHome(env, own, tell)));
    const failures = stored.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    throw failures.find((failure) => !(failure instanceof PlantsOnTheWay)) ?? error;
  }
}

async function storeByHome(env: Bindings, rows: readonly Row[], tell: Tell): Promise<Outcome[]> {
  const homeOf = await homesToChange(
    env,
    rows.map(({ plant }) => groupOf(plant)),
  );
  const outcomeOf = new Map<Row, Outcome>();
  for (const [home, there] of Map.groupBy(rows, ({ plant }) => homeOf(plant))) {
    // oxlint-disable-next-line no-await-in-loop -- a failure of one leaves the others unasked
    const outcomes = await storeReadings(home.db, there, home.isOneOfSeveral);
    there.forEach((row, at) => outcomeOf.set(row, outcomes[at] ?? missing()));
    const stored = there.filter((row) => outcomeOf.get(row) === 'stored');
    // oxlint-disable-next-line no-await-in-loop -- as above
    await tell([...new Set(stored.map(({ plant }) => plant))]);
  }
  return rows.map((row) => outcomeOf.get(row) ?? missing());
}

function missing(): never {
  throw new Error('a row has no outcome');
}
