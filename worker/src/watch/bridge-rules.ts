import { MINUTE_MS } from '#contract/time';
import type { AlertKind } from '#contract/alerts';
import { SPOOL_FAILURES, type BoardOverQuota, type SpoolState } from '#contract/readings';
import { isBad, judgeSilence, UNKNOWN, type Verdict } from './rules.ts';

const SILENT_MS = 15 * MINUTE_MS;
/** A normal burst drains within minutes; anything older is a growing backlog. */
const WAITS_MS = 15 * MINUTE_MS;
const LOST_MS = 15 * MINUTE_MS;
const NOT_KNOWN_MS = 15 * MINUTE_MS;

/** The latest heartbeat of a bridge. Instants are milliseconds since 1970. */
export type BridgeWord = {
  reported_at: number;
  valid_until: number;
  /** When it last reported a working broker connection and a known spool state. */
  broker_heard_at: number;
  spool_known_at: number;
  /** Null while unknown. */
  spool_state: SpoolState | null;
  /** Null while the spool cannot be read. */
  spool_depth: number | null;
  /** Null when nothing is waiting. */
  spool_oldest_at: number | null;
  /** Boards beyond their quota, as it last told; null if it never did. */
  over_quota: BoardOverQuota[] | null;
  over_quota_at: number | null;
};

/**
 * Evaluates a bridge's latest heartbeat at `now`. If the bridge is silent, only that is known; if it never reported,
 * nothing is.
 */
export function judgeBridge(word: BridgeWord | null, now: number): [AlertKind, Verdict][] {
  const silence = word ? judgeSilence(word.reported_at, SILENT_MS, now) : UNKNOWN;
  const current = word !== null && word.valid_until > now ? word : null;
  const failures = SPOOL_FAILURES.map((failure): [AlertKind, Verdict] => [
    `spool_${failure}`,
    judgeFailure(current, failure, now),
  ]);
  return [
    ['bridge', silence],
    ['broker', current ? judgeSilence(current.broker_heard_at, LOST_MS, now) : UNKNOWN],
    ['spool', judgeWaiting(current, now)],
    ['spool_unknown', current ? judgeSilence(current.spool_known_at, NOT_KNOWN_MS, now) : UNKNOWN],
    ...failures,
  ];
}

function judgeWaiting(word: BridgeWord | null, now: number): Verdict {
  if (word === null || word.spool_depth === null) return UNKNOWN;
  return judgeSilence(word.spool_oldest_at ?? now, WAITS_MS, now);
}

/**
 * Alerts at once, because the bridge accepts nothing more. Ends only after a while, because free space comes and goes.
 */
function judgeFailure(word: BridgeWord | null, failure: SpoolState, now: number): Verdict {
  if (word === null || word.spool_state === null) return UNKNOWN;
  if (word.spool_state === failure) return isBad(word.reported_at);
  return judgeSilence(now, WAITS_MS, now);
}

/** Whether the bridge said just now which boards are beyond their quota. */
export const knowsQuotas = (word: BridgeWord, now: number) =>
  word.valid_until > now && word.over_quota_at === word.reported_at;

/**
 * Judges the boards that any bridge last said to be beyond their quota. A bridge that is silent, or does not know it any
 * more, ends nothing. A board that no bridge names is well.
 */
export function judgeQuotas(words: readonly BridgeWord[], now: number): Map<string, Verdict> {
  const verdicts = new Map<string, Verdict>();
  for (const word of words) {
    const verdict = knowsQuotas(word, now) ? isBad(word.reported_at) : UNKNOWN;
    for (const { plant } of word.over_quota ?? []) {
      if (verdicts.get(plant)?.state !== 'bad') verdicts.set(plant, verdict);
    }
  }
  return verdicts;
}
