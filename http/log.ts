import { LOG_LEVELS, logLine, type LogFields, type LogLevel } from '#contract/log-line';

/** Writes one line per event, with the id of its request or task. */
export type Log = (level: LogLevel, event: string, fields?: LogFields) => void;

/**
 * The logger of one request or task run; every line carries its id. Lines below LOG_LEVEL are dropped. LOG_LEVEL is
 * read directly rather than through the configuration, so that an invalid configuration can be logged too.
 */
export function createLog(requestId: string, { LOG_LEVEL }: { LOG_LEVEL?: string | undefined }): Log {
  const lowest = LOG_LEVELS.find((level) => level === LOG_LEVEL) ?? 'info';
  return (level, event, fields) => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(lowest)) return;
    const line = logLine(level, event, { request_id: requestId, ...fields });
    if (level === 'error' || level === 'warn') console.error(line);
    else console.log(line);
  };
}

/** The reason and the stack frames. */
export function stackTrace(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = /(?:\n {4}at .*)*$/.exec(error.stack ?? '')?.[0] ?? '';
  return `${errorReason(error)}${frames}`;
}

/** Prefers the cause: a failed query's own message contains parameters, which are personal data. */
export function errorReason(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return String(error.cause instanceof Error ? error.cause : error);
}

/** Null if the lookup fails, so that the rest can still be shown. */
export async function nullOnFailure<T>(lookup: Promise<T>, log: Log): Promise<T | null> {
  return await lookup.catch((error: unknown) => {
    log('error', 'not_known', { error: stackTrace(error) });
    return null;
  });
}
