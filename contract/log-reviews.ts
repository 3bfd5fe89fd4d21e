import * as z from 'zod';
import type { AccessLogEntry } from './access-log.ts';
import { textSchema } from './texts.ts';
import { SEOUL_AHEAD_MS, seoulDay } from './time.ts';

/* 월별 점검: once a month somebody looks through what was done with personal data, and signs it off. */

/** A calendar month in Seoul, `2026-03`. */
export const monthSchema = z.string().regex(/^20[0-9]{2}-(0[1-9]|1[0-2])$/);

export const seoulMonth = (instant: number) => seoulDay(instant).slice(0, 7);

/** The month so many months after (or before) another. */
export function monthAfter(month: string, months = 1): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months)).toISOString().slice(0, 7);
}

/** Milliseconds since 1970: `from` inclusive, `to` exclusive. */
export function monthSpan(month: string): { from: number; to: number } {
  const start = (of: string) => Date.parse(`${of}-01T00:00:00Z`) - SEOUL_AHEAD_MS;
  return { from: start(month), to: start(monthAfter(month)) };
}

/** Body of POST /api/access_log/reviews/{month}. */
export const logReviewSchema = z.object({
  remark: textSchema(1000, '점검 의견은 1000자까지 쓸 수 있습니다').min(2, '점검 의견을 입력하세요'),
});

type Actor = AccessLogEntry['actor'];

/** Who signed a month off, when and with what remark. */
type LogReview = { at: string; reviewer: Actor; remark: string };

/** One month of GET /api/access_log/reviews, newest first. The running month cannot be signed off yet. */
export type LogMonth = { month: string; isOver: boolean; review: LogReview | null };

/** How much one person, the operator (`address` operator) or the system did in a month. */
export type ActorSummary = {
  actor: Actor;
  /** Of the operator and the system; null for a person. */
  address: string | null;
  entries: number;
  reads: number;
  changes: number;
  exports: number;
  /** How many people's or entries' data those entries were about, each time anew; reading a list is one. */
  records: number;
  addresses: number;
};

/** What a reviewer should look at. `day` is in Seoul, `entries` what was done on it. A null actor is the operator. */
export type UnusualAccess = { actor: Actor; day: string; entries: number } & (
  | {
      kind: 'number';
      /** How many people's or entries' data were handled, and how many usually are on the other days. */
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
  /** Restores of a backup that took back rows of the month, or its sign-off. */
  restores: AccessLogEntry[];
  unusual: UnusualAccess[];
};

/** Hours in Seoul at which nobody is expected: from midnight to six. */
export const NIGHT_ENDS = 6;
/** What is unusual by number: so many times what the person handles on a usual day, and at least so much. */
export const UNUSUAL_TIMES = 3;
export const UNUSUAL_RECORDS = 100;
/** How long an address counts as one's own after it was last used. */
export const KNOWN_ADDRESS_DAYS = 90;
