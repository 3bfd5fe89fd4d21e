/*
 * When alerts start and end. Without two limits, a value near the limit would start and end alerts again and
 * again: an alert starts beyond the first limit, and ends after a time within the second, stricter limit.
 */

import { ROLLUPS_LATE_MS } from '#contract/alert-limits';
import { taskFailureText } from '#contract/alerts';
import { DAY_MS, MINUTE_MS } from '#contract/time';

/** Both must match wrangler.toml; the only other cron is the daily task's. */
export const WATCH_CRON = '*/5 * * * *';
export const WATCH_EVERY_MS = 5 * MINUTE_MS;
/** Shorter limits could be exceeded and recover between two runs. */
export const SHORTEST_ALERT_LIMIT_MS = 3 * WATCH_EVERY_MS;

/** A rule's judgement of one object at one moment. Instants are milliseconds since 1970. */
export type Verdict = {
  /** `between` and `unknown` do not change an alert: it ends only when the state is known to be well. */
  state: 'bad' | 'between' | 'well' | 'unknown';
  /** When the present state began. */
  since: number;
  /** How long the state must stay normal until the alert ends. */
  holdMs: number;
  /** The present state in Korean, if there is more to say. */
  detail?: string;
};

/** An alert, from its start until its end has been handed to the receivers. */
export type AlertState = {
  since: number;
  /** When the state last became well; null while it is not well. */
  wellSince: number | null;
  overAt: number | null;
  /** When the start was handed to the receivers. */
  toldAt: number | null;
  /** The last known detail. */
  detail: string | null;
};

/**
 * Judges something that should report regularly and last did so at `heardAt`. After `limitMs` without a
 * report it is silent. The alert ends when, for half a limit, reports came at least every half limit: so
 * regular reports, at any interval, count either always as silence or never.
 */
export function judgeOverdueReport(heardAt: number, limitMs: number, now: number): Verdict {
  const limit = Math.max(limitMs, SHORTEST_ALERT_LIMIT_MS);
  const silence = now - heardAt;
  const state = silence > limit ? 'bad' : silence < limit / 2 ? 'well' : 'between';
  return { state, since: heardAt, holdMs: limit / 2 };
}

export const UNKNOWN_VERDICT: Verdict = { state: 'unknown', since: 0, holdMs: 0 };
/** Verdicts that take effect immediately, without a hold time. */
export const badVerdict = (since: number, detail?: string): Verdict => ({
  state: 'bad',
  since,
  holdMs: 0,
  ...(detail !== undefined && { detail }),
});
export const wellVerdict = (now: number): Verdict => ({ state: 'well', since: now, holdMs: 0 });

export type BackupRecord = {
  lastOkAt: number | null;
  /** When a backup first failed after the last success; null if none failed. */
  failedAt: number | null;
  /** Since when there is data to back up; null while there is none. */
  keptSince: number | null;
};

/** Alerts immediately on a failure, and when a backup is overdue by `days`. The next success ends both. */
export function judgeBackup(
  { lastOkAt, failedAt, keptSince }: BackupRecord,
  days: number,
  now: number,
): Verdict {
  const last = lastOkAt ?? keptSince ?? now;
  if (failedAt !== null) return badVerdict(failedAt, '만들다 실패했습니다');
  if (now - last > days * DAY_MS) return badVerdict(last, `${days}일 넘게 만들지 않았습니다`);
  return { state: 'well', since: last, holdMs: 0 };
}

/** Judges a task by its last finished run; undefined means that there is none. */
export function judgeTask(
  last: { at: number; ok: boolean; failure: string | null } | undefined,
  now: number,
): Verdict {
  if (last === undefined) return UNKNOWN_VERDICT;
  return last.ok
    ? wellVerdict(now)
    : badVerdict(last.at, last.failure === null ? undefined : taskFailureText(last.failure));
}

/**
 * Judges the writing of rollups: the next run makes up for a failed run, so only several failures matter.
 * @param mark until when rollups are written
 */
export function judgeRollups(last: Parameters<typeof judgeTask>[0], mark: number, now: number): Verdict {
  return now - mark <= ROLLUPS_LATE_MS ? wellVerdict(now) : judgeTask(last, now);
}

export function judgeDrill(last: { at: number; ok: boolean } | undefined, now: number): Verdict {
  if (last === undefined) return UNKNOWN_VERDICT;
  return last.ok ? wellVerdict(now) : badVerdict(last.at);
}

/** The alert after a verdict; undefined if there is none. */
export function nextAlert(
  alert: AlertState | undefined,
  verdict: Verdict,
  now: number,
): AlertState | undefined {
  if (alert === undefined) {
    if (verdict.state !== 'bad') return undefined;
    return {
      since: verdict.since,
      wellSince: null,
      overAt: null,
      toldAt: null,
      detail: verdict.detail ?? null,
    };
  }
  // The end has not been reported yet, so the alert simply continues.
  if (verdict.state === 'bad')
    return { ...alert, wellSince: null, overAt: null, detail: verdict.detail ?? alert.detail };
  if (verdict.state !== 'well') return { ...alert, wellSince: null };
  const wellSince = alert.wellSince ?? now;
  // If the state has not changed since the alert began, only the limit was changed, so there is no hold time.
  const holdMs = verdict.since === alert.since ? 0 : verdict.holdMs;
  const isOver = now - wellSince >= holdMs;
  return { ...alert, wellSince, overAt: alert.overAt ?? (isOver ? now : null) };
}

/** The alert after it was reported; undefined once its end was reported. */
export function alertAfterNotification(alert: AlertState, now: number): AlertState | undefined {
  return alert.overAt === null ? { ...alert, toldAt: alert.toldAt ?? now } : undefined;
}
