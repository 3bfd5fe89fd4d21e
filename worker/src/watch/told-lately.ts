import { HOUR_MS } from '#contract/time';
import { lastToldAt, noteTold } from './data.ts';
import { WATCH_EVERY_MS } from './rules.ts';

/**
 * Whether somebody may be told now of what the database cannot remember to have been told: at most once an hour, as R2
 * remembers in its place; where R2 does not either, in the first look of each hour.
 */
export async function mayTell(files: R2Bucket, now: number): Promise<boolean> {
  try {
    const last = await lastToldAt(files);
    if (last !== null && now - last < HOUR_MS) return false;
    await noteTold(files);
    return true;
  } catch {
    return now % HOUR_MS < WATCH_EVERY_MS;
  }
}
