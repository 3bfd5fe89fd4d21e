import { MINUTE_MS } from '#contract/time';
import { errorReason } from './log.ts';

/* Which routes of this worker met a broken database: not every query touches what is damaged. */

const brokenAt = new Map<string, number>();
/** What D1 says of a damaged database names nothing else. */
const BROKEN = /internal error; reference|SQLITE_(CORRUPT|NOTADB)/;

export function recordFailure(route: string, error: unknown): void {
  if (BROKEN.test(errorReason(error))) brokenAt.set(route, Date.now());
}

/** For example after disk space was freed. */
export const recordSuccess = (route: string) => void brokenAt.delete(route);

/** Whether a database broke within five minutes for one of these routes, and has not worked there since. */
export const failedRecently = (isOf: (route: string) => boolean) =>
  [...brokenAt].some(([route, at]) => isOf(route) && Date.now() - at < 5 * MINUTE_MS);
