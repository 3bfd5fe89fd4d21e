import { logLine, type LogFields, type LogLevel } from '#contract/log-line';

/** Maximum bytes of lines that wait for a slow reader of the log. Further lines are only counted. */
const WAITING_MAX = 1024 * 1024;

let dropped = 0;

/** Writes one JSON line per event. Never log a payload, a key or a password. */
export function log(level: LogLevel, event: string, fields: LogFields = {}): void {
  if (process.stdout.writableLength > WAITING_MAX) {
    dropped += 1;
    return;
  }
  const lines = [logLine(level, event, fields)];
  if (dropped > 0) lines.unshift(logLine('warn', 'log_lines_dropped', { count: dropped }));
  dropped = 0;
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return `${error.message}${code}${cause}`;
}
