/** A request takes several turns. */
const LONG_ENOUGH_MS = 5;

/**
 * Lets what has come meanwhile have its turn. With D1 in workerd's own process, as it is locally, a long row of queries keeps it
 * from reading its connections until the last one is done.
 */
export const giveWay = (): Promise<void> => scheduler.wait(LONG_ENOUGH_MS);
