/*
 * When somebody is told of what. Each rule has two limits: trouble begins beyond the one, and is over only after all has
 * been well by the other, stricter one for long enough that the trouble could not have come and gone in between.
 */

import { DAY_MS, MINUTE_MS } from '#contract/time';

/** How often the rules are asked, in milliseconds, as wrangler.toml says. */
export const WATCH_EVERY_MS = 5 * MINUTE_MS;
/** Limits below this could fall between two askings. */
const SHORTEST_LIMIT_MS = 3 * WATCH_EVERY_MS;

/** What a rule says of one thing at one moment. Instants are milliseconds since 1970. */
export type Verdict = {
  /** `between` both limits all stays as it was, and where it is `unknown`: nothing is over before it is known to be. */
  state: 'bad' | 'between' | 'well' | 'unknown';
  /** Since when it has been as bad as it is. */
  since: number;
  /** For how long it has to be well before it is over. */
  holdMs: number;
};

/** Trouble, from its beginning until its end was told. */
export type Alert = {
  since: number;
  /** Since when all has been well without a break; null while it is not. */
  wellSince: number | null;
  overAt: number | null;
  /** When its beginning was told. */
  toldAt: number | null;
};

/**
 * Something that should be heard of and was last heard of at `heardAt`. It is silent after `limitMs`, and is heard again
 * once it has been heard of within every half of that, for longer than half of that: whatever the interval at which
 * it speaks, it is either always silent or never.
 */
export function judgeSilence(heardAt: number, limitMs: number, now: number): Verdict {
  const limit = Math.max(limitMs, SHORTEST_LIMIT_MS);
  const silence = now - heardAt;
  const state = silence > limit ? 'bad' : silence < limit / 2 ? 'well' : 'between';
  return { state, since: heardAt, holdMs: limit / 2 };
}

/** Says nothing. */
export const UNKNOWN: Verdict = { state: 'unknown', since: 0, holdMs: 0 };
/** Something that is at once as it is. */
export const isBad = (since: number): Verdict => ({ state: 'bad', since, holdMs: 0 });
export const isWell = (now: number): Verdict => ({ state: 'well', since: now, holdMs: 0 });

export type BackupRecord = {
  lastOkAt: number | null;
  /** The first failure after it; null when none failed since. */
  failedAt: number | null;
  /** When there was first anything to keep; null when there is nothing yet. */
  keptSince: number | null;
};

/** A failure is told at once, and a backup that is missing after so many days. The next good one ends both. */
export function judgeBackup(
  { lastOkAt, failedAt, keptSince }: BackupRecord,
  days: number,
  now: number,
): Verdict {
  const last = lastOkAt ?? keptSince ?? now;
  const isOverdue = now - last > days * DAY_MS;
  const since = failedAt ?? last;
  return { state: failedAt !== null || isOverdue ? 'bad' : 'well', since, holdMs: 0 };
}

/** A task by its last run that ended; undefined when none has. */
export function judgeTask(last: { at: number; ok: boolean } | undefined, now: number): Verdict {
  if (last === undefined) return UNKNOWN;
  return last.ok ? isWell(now) : isBad(last.at);
}

/** What becomes of an alert by the verdict of `now`; undefined where there is none. */
export function follow(alert: Alert | undefined, verdict: Verdict, now: number): Alert | undefined {
  if (alert === undefined) {
    if (verdict.state !== 'bad') return undefined;
    return { since: verdict.since, wellSince: null, overAt: null, toldAt: null };
  }
  // Its end was not told yet, so nobody needs to hear that it goes on.
  if (verdict.state === 'bad') return { ...alert, wellSince: null, overAt: null };
  if (verdict.state !== 'well') return { ...alert, wellSince: null };
  const wellSince = alert.wellSince ?? now;
  const isOver = now - wellSince >= verdict.holdMs;
  return { ...alert, wellSince, overAt: alert.overAt ?? (isOver ? now : null) };
}

/** What has been told is remembered, and forgotten with its end. */
export function told(alert: Alert, now: number): Alert | undefined {
  return alert.overAt === null ? { ...alert, toldAt: alert.toldAt ?? now } : undefined;
}
