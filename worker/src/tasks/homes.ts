import type { Database } from '#db/client';
import type { AllHomes } from '#db/homes';

/**
 * Does a task's work in each home of plants: none waits for another or fails with it.
 * @returns what was counted, added up
 * @throws Error of the first that failed, after all are done
 */
export async function sumOfHomes<Counts extends Record<string, number>>(
  homes: AllHomes,
  work: (home: Database) => Promise<Counts>,
): Promise<Counts> {
  const ends = await Promise.allSettled(homes.map(work));
  const counted = ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
  return counted.reduce((sum, counts) => {
    for (const [name, count] of Object.entries(counts))
      Object.assign(sum, { [name]: (sum[name] ?? 0) + count });
    return sum;
  });
}
