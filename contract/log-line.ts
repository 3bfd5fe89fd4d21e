/** From what is only of use to whoever looks for a fault to what somebody should see. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type LogFields = Record<string, string | number | boolean | null>;

/**
 * The one form of a log's line, in every part of the product: JSON with its time, level and event. Never give it a
 * name, an address, a number of a person, a key, or any text that somebody sent.
 */
export function logLine(level: LogLevel, event: string, fields: LogFields = {}): string {
  return JSON.stringify({ time: new Date().toISOString(), level, event, ...fields });
}
