/*
 * Each board has a quota: a bucket of tokens, of which every reading costs one. Readings without a token wait, in the
 * order in which they came, until enough tokens have come back. Times are uptimes in milliseconds.
 */

import { MINUTE_MS } from '#contract/time';

export type BoardLimits = {
  /** Readings that a board may send at once, and how many of these it gets back in a minute. */
  burst: number;
  perMinute: number;
  /** How many readings may wait for tokens, and how many bytes the messages that hold them may have. */
  waitingReadings: number;
  waitingBytes: number;
};

/** How a board stands. */
export type Account = {
  tokens: number;
  /** When the tokens were counted. */
  at: number;
  /** Readings in messages that have not been unpacked, and how many of these have no token yet. */
  packed: number;
  unpaid: number;
  /** Bytes of the messages that had to wait for tokens. */
  bytes: number;
  isOver: boolean;
  /** Messages refused since it is over its quota, and the readings in them. */
  refusedMessages: number;
  refusedReadings: number;
};

/** Share of its bucket that a board must have again before it no longer counts as over its quota. */
const CALM_SHARE = 0.1;

export function newAccount({ burst }: BoardLimits, at: number): Account {
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

/** Adds the tokens that have come back since they were last counted. */
export function refill(account: Account, { burst, perMinute }: BoardLimits, now: number): void {
  const back = (Math.max(0, now - account.at) * perMinute) / MINUTE_MS;
  account.tokens = Math.min(burst, account.tokens + back);
  account.at = now;
}

/** `through`: every reading has its token. `waits`: at least one has not. `refused`: too much waits already. */
export type Admission = 'through' | 'waits' | 'refused';

/** Charges a refilled account for a message of so many readings and bytes, or refuses all of it. */
export function admit(account: Account, readings: number, bytes: number, limits: BoardLimits): Admission {
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
export function pay(account: Account, { burst }: BoardLimits): void {
  const paid = Math.min(account.unpaid, Math.floor(account.tokens));
  account.tokens -= paid;
  account.unpaid -= paid;
  if (!account.isOver || account.unpaid > 0 || account.tokens < burst * CALM_SHARE) return;
  account.isOver = false;
  account.refusedMessages = 0;
  account.refusedReadings = 0;
}

/** Milliseconds until a reading that waits gets its token; null when none waits. */
export function nextTokenIn(account: Account, { perMinute }: BoardLimits): number | null {
  if (account.unpaid === 0) return null;
  return (Math.max(0, 1 - account.tokens) * MINUTE_MS) / perMinute;
}
