/*
 * Each board has a quota, as a token bucket: each reading takes one token. Readings without a token wait, in
 * the order of their arrival, until enough tokens have come back. Times are uptimes in milliseconds.
 */

import { PLANTS_MAX } from '#contract/plants';
import { MINUTE_MS } from '#contract/time';

export type BoardLimits = {
  /** Readings that a board may send at once, and tokens that it gets back per minute. */
  burst: number;
  perMinute: number;
  /** How many readings may wait for tokens, and the maximum bytes of their messages. */
  waitingReadings: number;
  waitingBytes: number;
  /** Maximum bytes of dead letters per board; further ones are only counted. */
  deadLetterBytes: number;
  /** Maximum number of boards: at an open broker, anybody can make up names. */
  boards: number;
};

const MEGABYTE = 1024 * 1024;
/** Bytes of a waiting reading, as JSON with its time and its share of its message. */
const READING_BYTES = 105;

/**
 * The limits of each board. Four times the burst may wait: a board that sends without end must not fill a
 * Pi's disk. Dead letters are limited too, because a few show the operator what is wrong.
 */
export const boardLimits = (burst: number, perMinute: number): BoardLimits => ({
  burst,
  perMinute,
  waitingReadings: 4 * burst,
  waitingBytes: 4 * burst * READING_BYTES,
  deadLetterBytes: 4 * MEGABYTE,
  boards: PLANTS_MAX,
});

/** For the operator's commands, which receive no messages. */
export const UNLIMITED_BOARD: BoardLimits = {
  burst: Number.MAX_SAFE_INTEGER,
  perMinute: 1,
  waitingReadings: Number.MAX_SAFE_INTEGER,
  waitingBytes: Number.MAX_SAFE_INTEGER,
  deadLetterBytes: Number.MAX_SAFE_INTEGER,
  boards: Number.MAX_SAFE_INTEGER,
};

/** A board over its quota: how many of its readings wait for tokens, and how many were refused. */
export type OverQuota = { plant: string; waiting: number; refused: number };

/** Boards over their quota, and boards within their quota again, with what was refused meanwhile. */
export type QuotaChanges = { over: string[]; within: WithinQuotaAgain[] };
type WithinQuotaAgain = { plant: string; refused_messages: number; refused_readings: number };

/** The clock for tokens: the uptime of this boot. */
export type BootClock = { boot: string; uptime: () => number };

export type TokenBucket = {
  tokens: number;
  at: number;
  /** Readings in packed messages, and how many of them have no token yet. */
  packed: number;
  unpaid: number;
  bytes: number;
  isOver: boolean;
  /** Messages refused since the board exceeded its quota, and their readings. */
  refusedMessages: number;
  refusedReadings: number;
};

/** A board counts as over its quota until it has this share of its tokens again. */
const CALM_SHARE = 0.1;

export function createTokenBucket({ burst }: BoardLimits, at: number): TokenBucket {
  return {
    tokens: burst,
    at,
    packed: 0,
    unpaid: 0,
    bytes: 0,
    isOver: false,
    refusedMessages: 0,
    refusedReadings: 0,
  };
}

export function refillBucket(account: TokenBucket, { burst, perMinute }: BoardLimits, now: number): void {
  const back = (Math.max(0, now - account.at) * perMinute) / MINUTE_MS;
  account.tokens = Math.min(burst, account.tokens + back);
  account.at = now;
}

/** `through`: every reading has a token. `waits`: at least one has none. `refused`: too many wait. */
export type TokenAdmission = 'through' | 'waits' | 'refused';

/** Takes tokens for a message with so many readings and bytes, or refuses it. Call `refillBucket` before. */
export function takeTokens(
  account: TokenBucket,
  readings: number,
  bytes: number,
  limits: BoardLimits,
): TokenAdmission {
  // A new message must not overtake waiting messages.
  const paid = account.unpaid > 0 ? 0 : Math.min(readings, Math.floor(account.tokens));
  const unpaid = readings - paid;
  if (unpaid === 0) {
    account.tokens -= paid;
    return 'through';
  }
  account.isOver = true;
  const isTooMuch =
    account.unpaid + unpaid > limits.waitingReadings || account.bytes + bytes > limits.waitingBytes;
  if (isTooMuch) {
    account.refusedMessages += 1;
    account.refusedReadings += readings;
    return 'refused';
  }
  account.tokens -= paid;
  account.unpaid += unpaid;
  account.bytes += bytes;
  return 'waits';
}

/** Takes tokens for waiting readings. Call `refillBucket` before. */
export function spendTokens(account: TokenBucket, { burst }: BoardLimits): void {
  const paid = Math.min(account.unpaid, Math.floor(account.tokens));
  account.tokens -= paid;
  account.unpaid -= paid;
  if (!account.isOver || account.unpaid > 0 || account.tokens < burst * CALM_SHARE) return;
  account.isOver = false;
  account.refusedMessages = 0;
  account.refusedReadings = 0;
}

/** Milliseconds until a waiting reading gets its token; null if none waits. */
export function msUntilNextToken(account: TokenBucket, { perMinute }: BoardLimits): number | null {
  if (account.unpaid === 0) return null;
  return (Math.max(0, 1 - account.tokens) * MINUTE_MS) / perMinute;
}
