import { visibleJson } from './visible-text.ts';

/** From details for debugging up to what needs somebody's attention. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type LogFields = Record<string, string | number | boolean | null | Record<string, number>>;

/**
 * The single log format of every part of the product: JSON with time, level and event. Never log a name, an address, a
 * person's number, a key or any text that a client sent.
 */
export function logLine(level: LogLevel, event: string, fields: LogFields = {}): string {
  return visibleJson({ time: new Date().toISOString(), level, event, ...fields });
}
