/*
 * When somebody is told of what. Each rule has two limits: trouble begins beyond the one, and is over only after all has
 * been well by the other, stricter one for long enough that the trouble could not have come and gone in between.
 */

const MINUTE = 60_000;
const DAY = 86_400_000;

/** How often the rules are asked, in milliseconds, as wrangler.toml says. */
export const WATCH_EVERY_MS = 5 * MINUTE;
/** Limits below this could fall between two askings. */
const SHORTEST_LIMIT_MS = 3 * WATCH_EVERY_MS;

const BRIDGE_SILENT_MS = 15 * MINUTE;
const SPOOL_WAITS_MS = 15 * MINUTE;

export type AlertKind = 'board' | 'bridge' | 'spool' | 'backup';
/** Of the plant or of the bridge; empty for the backup. */
export type AlertKey = { kind: AlertKind; name: string };

/** What a rule says of one thing at one moment. Instants are milliseconds since 1970. */
export type Verdict = {
  /** `between` both limits, or where nothing is known, all stays as it was. */
  state: 'bad' | 'between' | 'well';
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

/** The bridge by its heartbeats. */
export const judgeBridge = (reportedAt: number, now: number): Verdict =>
  judgeSilence(reportedAt, BRIDGE_SILENT_MS, now);

/**
 * What waits on a bridge's disk, by the age of the oldest. A burst drains within minutes; what is older grows.
 * @param oldestAt null when nothing waits
 * @param isCurrent whether the bridge's word still holds: an old one tells nothing
 */
export function judgeSpool(oldestAt: number | null, isCurrent: boolean, now: number): Verdict {
  if (!isCurrent) return { state: 'between', since: oldestAt ?? now, holdMs: SPOOL_WAITS_MS };
  return judgeSilence(oldestAt ?? now, SPOOL_WAITS_MS, now);
}

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
  const isOverdue = now - last > days * DAY;
  const since = failedAt ?? last;
  return { state: failedAt !== null || isOverdue ? 'bad' : 'well', since, holdMs: 0 };
}

/** What becomes of an alert by the verdict of `now`; undefined where there is none. */
export function follow(alert: Alert | undefined, verdict: Verdict, now: number): Alert | undefined {
  if (alert === undefined) {
    if (verdict.state !== 'bad') return undefined;
    return { since: verdict.since, wellSince: null, overAt: null, toldAt: null };
  }
  // Its end was not told yet, so nobody needs to hear that it goes on.
  if (verdict.state === 'bad') return { ...alert, wellSince: null, overAt: null };
  if (verdict.state === 'between') return { ...alert, wellSince: null };
  const wellSince = alert.wellSince ?? now;
  const isOver = now - wellSince >= verdict.holdMs;
  return { ...alert, wellSince, overAt: alert.overAt ?? (isOver ? now : null) };
}

/** What has been told is remembered, and forgotten with its end. */
export function told(alert: Alert, now: number): Alert | undefined {
  return alert.overAt === null ? { ...alert, toldAt: alert.toldAt ?? now } : undefined;
}
