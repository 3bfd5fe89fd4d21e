import { logLine, type LogFields, type LogLevel } from '#contract/log-line';

/** Writes one line of JSON for one event. Never give it a payload, a key or a password. */
export function log(level: LogLevel, event: string, fields: LogFields = {}): void {
  process.stdout.write(`${logLine(level, event, fields)}\n`);
}

/** Text of whatever was thrown, for a log line. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return `${error.message}${code}${cause}`;
}
