import { HOUR_MS } from '#contract/time';
import { lastToldAt, noteTold } from './data.ts';
import { WATCH_EVERY_MS } from './rules.ts';

/**
 * Limits messages that the database cannot record to one an hour. R2 remembers the last one; if R2 fails as well, only
 * the first run of each hour may send.
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
