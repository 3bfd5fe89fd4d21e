/*
 * Each board has a quota: a bucket of tokens, of which every reading costs one. Readings without a token wait, in the
 * order in which they came, until enough tokens have come back. Times are uptimes in milliseconds.
 */

import { PLANTS_MAX } from '#contract/plants';
import { MINUTE_MS } from '#contract/time';

export type BoardLimits = {
  /** Readings that a board may send at once, and how many of these it gets back in a minute. */
  burst: number;
  perMinute: number;
  /** How many readings may wait for tokens, and how many bytes the messages that hold them may have. */
  waitingReadings: number;
  waitingBytes: number;
  /** How many bytes of dead letters each board may fill; more are only counted. */
  deadLetterBytes: number;
  /** How many boards there may be: at a broker that takes anybody, anybody can make up names. */
  boards: number;
};

const MEGABYTE = 1024 * 1024;
/** What a reading takes that waits, as JSON with its time and its share of its message. */
const READING_BYTES = 105;

/**
 * The limits of each board. Four times what it may send at once may wait, so that no board that has gone mad fills the disk
 * of a Pi; its dead letters are a sample for whoever looks.
 */
export const limitsFor = (burst: number, perMinute: number): BoardLimits => ({
  burst,
  perMinute,
  waitingReadings: 4 * burst,
  waitingBytes: 4 * burst * READING_BYTES,
  deadLetterBytes: 4 * MEGABYTE,
  boards: PLANTS_MAX,
});

/** For the operator's commands, which take no messages in. */
export const UNLIMITED: BoardLimits = {
  burst: Number.MAX_SAFE_INTEGER,
  perMinute: 1,
  waitingReadings: Number.MAX_SAFE_INTEGER,
  waitingBytes: Number.MAX_SAFE_INTEGER,
  deadLetterBytes: Number.MAX_SAFE_INTEGER,
  boards: Number.MAX_SAFE_INTEGER,
};

/** A board that is beyond its quota: how many of its readings wait for tokens, and how many were refused. */
export type OverQuota = { plant: string; waiting: number; refused: number };

/** Boards that went beyond their quota, and boards that came back within it, with what was refused in between. */
export type QuotaChanges = { over: string[]; within: WithinQuotaAgain[] };
type WithinQuotaAgain = { plant: string; refused_messages: number; refused_readings: number };

/** By which tokens are counted: the uptime of this boot. */
export type BootClock = { boot: string; uptime: () => number };

export type TokenBucket = {
  tokens: number;
  at: number;
  /** Readings in messages that have not been unpacked, and how many of these have no token yet. */
  packed: number;
  unpaid: number;
  bytes: number;
  isOver: boolean;
  /** Messages refused since it is over its quota, and the readings in them. */
  refusedMessages: number;
  refusedReadings: number;
};

/** Share of its bucket that a board must have again before it no longer counts as over its quota. */
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

export function refill(account: TokenBucket, { burst, perMinute }: BoardLimits, now: number): void {
  const back = (Math.max(0, now - account.at) * perMinute) / MINUTE_MS;
  account.tokens = Math.min(burst, account.tokens + back);
  account.at = now;
}

/** `through`: every reading has its token. `waits`: at least one has not. `refused`: too much waits already. */
export type Admission = 'through' | 'waits' | 'refused';

/** Charges a refilled account for a message of so many readings and bytes, or refuses all of it. */
export function takeTokens(
  account: TokenBucket,
  readings: number,
  bytes: number,
  limits: BoardLimits,
): Admission {
  // Nothing overtakes what is waiting.
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

/** Spends a refilled account's tokens on what is waiting. */
export function payBack(account: TokenBucket, { burst }: BoardLimits): void {
  const paid = Math.min(account.unpaid, Math.floor(account.tokens));
  account.tokens -= paid;
  account.unpaid -= paid;
  if (!account.isOver || account.unpaid > 0 || account.tokens < burst * CALM_SHARE) return;
  account.isOver = false;
  account.refusedMessages = 0;
  account.refusedReadings = 0;
}

/** Milliseconds until a reading that waits gets its token; null when none waits. */
export function nextTokenIn(account: TokenBucket, { perMinute }: BoardLimits): number | null {
  if (account.unpaid === 0) return null;
  return (Math.max(0, 1 - account.tokens) * MINUTE_MS) / perMinute;
}
