import { MINUTE_MS } from '#contract/time';
import { errorReason } from './log.ts';

/* Records which routes found the database damaged: other routes may still work, as they read other pages. */

const brokenAt = new Map<string, number>();
/** D1's messages about a damaged database, which are used for no other error. */
const BROKEN = /internal error; reference|SQLITE_(CORRUPT|NOTADB)/;

export function recordDatabaseFailure(route: string, error: unknown): void {
  if (BROKEN.test(errorReason(error))) brokenAt.set(route, Date.now());
}

/** Call when the route works again, for example after disk space was freed. */
export const recordDatabaseSuccess = (route: string) => void brokenAt.delete(route);

/** Whether one of these routes found the database broken within five minutes and has not worked since. */
export const databaseFailedRecently = (isOf: (route: string) => boolean) =>
  [...brokenAt].some(([route, at]) => isOf(route) && Date.now() - at < 5 * MINUTE_MS);
