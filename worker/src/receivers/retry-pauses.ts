import { backoffMs } from '#contract/backoff';
import { DAY_MS } from '#contract/time';

/** Pauses after each failed attempt to send to a receiver; seventeen hours in total. */
export const RETRY_PAUSES_MS = Array.from({ length: 12 }, (_, failures) =>
  backoffMs(failures, { firstMs: 15_000, mostMs: DAY_MS }, 0),
);
/** After this many attempts the receiver does not get the news. */
export const DELIVERY_TRIES_MAX = RETRY_PAUSES_MS.length + 1;
