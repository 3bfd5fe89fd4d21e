import { LOG_LEVELS, logLine, type LogFields, type LogLevel } from '#contract/log-line';

/** Writes one line per event, with the id of its request or task. */
export type Log = (level: LogLevel, event: string, fields?: LogFields) => void;

/**
 * The logger of one request or task run; every line has its id. Lines below LOG_LEVEL are dropped. Does not
 * read LOG_LEVEL from the configuration: an invalid configuration must be logged too.
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

/** The cause's message, if there is a cause: the message of a failed query contains personal data. */
export function errorReason(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return String(error.cause instanceof Error ? error.cause : error);
}

/** Null if the lookup fails, so that the screen can show its other parts. */
export async function nullOnFailure<T>(lookup: Promise<T>, log: Log): Promise<T | null> {
  return await lookup.catch((error: unknown) => {
    log('error', 'not_known', { error: stackTrace(error) });
    return null;
  });
}
