import { printableJson } from './printable-text.ts';

/** From debugging details up to what needs somebody's attention. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type LogFields = Record<string, string | number | boolean | null | Record<string, number>>;

/**
 * The single log format of every part of the product: JSON with time, level and event. Never log a name, an
 * address, a person's number, a key or any text that a client sent.
 */
export function logLine(level: LogLevel, event: string, fields: LogFields = {}): string {
  return printableJson({ time: new Date().toISOString(), level, event, ...fields });
}

/** Set on every API response. A response without this header came from a server between browser and API. */
export const API_MARKER_HEADER = 'x-lab-api';

export const REQUEST_ID_HEADER = 'x-request-id';

/** Declared here because the contract is compiled for no particular runtime; each provides `crypto`. */
declare const crypto: { randomUUID: () => string };

/** A new id of 48 random bits, short enough to read aloud: `3f2a9c1e-7b4d`. */
export const newRequestId = () => crypto.randomUUID().slice(0, 13);

const SENT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}$/;

/**
 * A new id, so that no client can make its requests look like another client's. A well-formed id that the
 * client sent is appended, so that the log can be searched for that id: `9d41c07b.3f2a9c1e-7b4d`.
 */
export function requestIdFrom(sent: string | null | undefined): string {
  const own = newRequestId();
  return sent && SENT_ID.test(sent) ? `${own.slice(0, 8)}.${sent}` : own;
}
