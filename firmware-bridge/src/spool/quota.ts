/*
 * Each board has a quota, as a token bucket: each reading takes one token. Readings that find no token wait
 * in the order of their arrival until enough tokens have come back. Times are uptimes in milliseconds.
 */

import { PLANTS_MAX } from '#contract/plants';
import { MINUTE_MS } from '#contract/time';

export type BoardLimits = {
  /** How many readings a board may send at once. */
  /** How many tokens a board gets back per minute. */
  burst: number;
  perMinute: number;
  /** How many readings of a board may wait for tokens. */
  /** Maximum bytes of the messages with these waiting readings. */
  waitingReadings: number;
  waitingBytes: number;
  /** Maximum bytes of a board's dead letters. Further dead letters are only counted. */
  deadLetterBytes: number;
  /** Maximum number of boards. At an open broker, anybody can make up names of boards. */
  boards: number;
};

const MEGABYTE = 1024 * 1024;
/** Bytes that a waiting reading needs: its JSON, its time and its share of its message. */
const READING_BYTES = 105;

/**
 * The limits for each board. Four times the burst may wait: a board that sends without end must not fill a
 * Pi's disk. Dead letters are limited too: a few are enough to show the operator what is wrong.
 */
export const boardLimits = (burst: number, perMinute: number): BoardLimits => ({
  burst,
  perMinute,
  waitingReadings: 4 * burst,
  waitingBytes: 4 * burst * READING_BYTES,
  deadLetterBytes: 4 * MEGABYTE,
  boards: PLANTS_MAX,
});

/** No limits, for the operator's commands: they receive no messages from boards. */
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

/** Boards that have exceeded their quota; boards within it again, with what was refused in between. */
export type QuotaChanges = { over: string[]; within: WithinQuotaAgain[] };
type WithinQuotaAgain = { plant: string; refused_messages: number; refused_readings: number };

/** The clock for tokens: the uptime since this boot. */
export type BootClock = { boot: string; uptime: () => number };

export type TokenBucket = {
  tokens: number;
  at: number;
  /** How many readings are in the board's packed messages. */
  /** How many readings in packed messages have no token yet. */
  packed: number;
  unpaid: number;
  bytes: number;
  isOver: boolean;
  /** How many messages were refused since the board exceeded its quota, and how many readings they have. */
  refusedMessages: number;
  refusedReadings: number;
};

/** A board stays over its quota until it has this share of its tokens again. */
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

export function refillBucket(bucket: TokenBucket, { burst, perMinute }: BoardLimits, now: number): void {
  const back = (Math.max(0, now - bucket.at) * perMinute) / MINUTE_MS;
  bucket.tokens = Math.min(burst, bucket.tokens + back);
  bucket.at = now;
}

/** `through`: every reading got a token. `waits`: at least one got none. `refused`: too many already wait. */
export type TokenDecision = 'through' | 'waits' | 'refused';

/** Takes tokens for a message with so many readings and bytes, or refuses it. Call `refillBucket` first. */
export function takeTokens(
  bucket: TokenBucket,
  readings: number,
  bytes: number,
  limits: BoardLimits,
): TokenDecision {
  // A new message must not be sent before messages that wait.
  const paid = bucket.unpaid > 0 ? 0 : Math.min(readings, Math.floor(bucket.tokens));
  const unpaid = readings - paid;
  if (unpaid === 0) {
    bucket.tokens -= paid;
    return 'through';
  }
  bucket.isOver = true;
  const isTooMuch =
    bucket.unpaid + unpaid > limits.waitingReadings || bucket.bytes + bytes > limits.waitingBytes;
  if (isTooMuch) {
    bucket.refusedMessages += 1;
    bucket.refusedReadings += readings;
    return 'refused';
  }
  bucket.tokens -= paid;
  bucket.unpaid += unpaid;
  bucket.bytes += bytes;
  return 'waits';
}

/** Takes tokens for readings that wait. Call `refillBucket` first. */
export function spendTokens(bucket: TokenBucket, { burst }: BoardLimits): void {
  const paid = Math.min(bucket.unpaid, Math.floor(bucket.tokens));
  bucket.tokens -= paid;
  bucket.unpaid -= paid;
  if (!bucket.isOver || bucket.unpaid > 0 || bucket.tokens < burst * CALM_SHARE) return;
  bucket.isOver = false;
  bucket.refusedMessages = 0;
  bucket.refusedReadings = 0;
}

/** Milliseconds until a waiting reading gets its token; null if no reading waits. */
export function msUntilNextToken(bucket: TokenBucket, { perMinute }: BoardLimits): number | null {
  if (bucket.unpaid === 0) return null;
  return (Math.max(0, 1 - bucket.tokens) * MINUTE_MS) / perMinute;
}
