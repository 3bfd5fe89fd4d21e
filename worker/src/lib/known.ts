import { traceOf, type Log } from '#http/log';

/** Null when the lookup fails, so that the rest can still be told. */
export async function known<T>(lookup: Promise<T>, log: Log): Promise<T | null> {
  return await lookup.catch((error: unknown) => {
    log('error', 'not_known', { error: traceOf(error) });
    return null;
  });
}
