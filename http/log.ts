import { LOG_LEVELS, logLine, type LogFields, type LogLevel } from '#contract/log-line';

/** Writes one line for one event, under the id of the request or task that it belongs to. */
export type Log = (level: LogLevel, event: string, fields?: LogFields) => void;

/**
 * The log of one request or one run of a task: each of its lines names it. Lines below LOG_LEVEL are not written; it is
 * read on its own, so that a wrong configuration can be logged too.
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

/** Why and where it failed. The message of a failed query holds people's data, its parameters; its cause does not. */
export function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = /(?:\n {4}at .*)*$/.exec(error.stack ?? '')?.[0] ?? '';
  return `${reasonOf(error)}${frames}`;
}

/** Why it failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return String(error.cause instanceof Error ? error.cause : error);
}
