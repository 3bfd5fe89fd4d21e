import * as z from 'zod';
import type { AccessLogEntry } from './access-log.ts';
import { textSchema } from './texts.ts';
import { SEOUL_OFFSET_MS, seoulDay } from './time.ts';

/* 월별 점검: once a month an admin reviews the log of access to personal data and confirms it (sign-off). */

/** A calendar month in Seoul, `2026-03`. */
export const monthSchema = z.string().regex(/^20[0-9]{2}-(0[1-9]|1[0-2])$/);

export const seoulMonth = (instant: number) => seoulDay(instant).slice(0, 7);

/** The month that is `months` months after another month, or before the other month if negative. */
export function addMonths(month: string, months = 1): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months)).toISOString().slice(0, 7);
}

/** The start (inclusive) and the end (exclusive) of a month in Seoul, in milliseconds since 1970. */
export function monthSpan(month: string): { from: number; to: number } {
  const start = (of: string) => Date.parse(`${of}-01T00:00:00Z`) - SEOUL_OFFSET_MS;
  return { from: start(month), to: start(addMonths(month)) };
}

/** Body of POST /api/access_log/reviews/{month}. */
export const logReviewSchema = z.object({
  remark: textSchema(1000, '점검 의견은 1000자까지 쓸 수 있습니다').min(2, '점검 의견을 입력하세요'),
});

type Actor = AccessLogEntry['actor'];

/** Who signed a month off, when, and with which remark. */
type LogReview = { at: string; reviewer: Actor; remark: string };

/** One month of GET /api/access_log/reviews, newest first. The running month cannot be signed off yet. */
export type LogMonth = { month: string; isOver: boolean; review: LogReview | null };

/** How many actions a person, the operator (`address` operator) or the system did in a month. */
export type ActorSummary = {
  actor: Actor;
  /** For the operator and for the system; null for a person. */
  address: string | null;
  entries: number;
  reads: number;
  changes: number;
  exports: number;
  /** How many records these actions were about, repeats included; reading a list counts as one. */
  records: number;
  addresses: number;
};

/** What a reviewer should look at: the actions of one `day` in Seoul. A null actor is the operator. */
export type UnusualAccess = { actor: Actor; day: string; entries: number } & (
  | {
      kind: 'number';
      /** How many records were handled on the day, and how many on a usual other day. */
      handled: number;
      usual: number;
    }
  | { kind: 'hour' }
  | { kind: 'address'; address: string }
);

/** Response of GET /api/access_log/reviews/{month}. */
export type LogReport = LogMonth & {
  entries: number;
  actors: ActorSummary[];
  exports: AccessLogEntry[];
  /** Entries about a restore that removed log rows of the month, or the sign-off of the month. */
  restores: AccessLogEntry[];
  unusual: UnusualAccess[];
};

/** Access between midnight and this hour in Seoul is unusual. */
export const NIGHT_END_HOUR = 6;
/** Unusual is a day with more than this many times the usual records, and more than `UNUSUAL_RECORDS_MIN`. */
export const UNUSUAL_RECORDS_FACTOR = 3;
export const UNUSUAL_RECORDS_MIN = 100;
/** With fewer other days the usual number is unknown; then only `UNUSUAL_RECORDS_MIN` counts. */
export const USUAL_DAYS_MIN = 3;
/** How many days after its last use a network address still counts as known for its user. */
export const KNOWN_ADDRESS_DAYS = 90;
