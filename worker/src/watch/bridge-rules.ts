import { MINUTE_MS } from '#contract/time';
import type { AlertKind } from '#contract/alerts';
import { SPOOL_FAILURES, type SpoolState } from '#contract/readings';
import { isBad, judgeSilence, UNKNOWN, type Verdict } from './rules.ts';

const SILENT_MS = 15 * MINUTE_MS;
/** A burst drains within minutes; what is older grows. */
const WAITS_MS = 15 * MINUTE_MS;
const LOST_MS = 15 * MINUTE_MS;
const NOT_KNOWN_MS = 15 * MINUTE_MS;

/** The last word of a bridge. Instants are milliseconds since 1970. */
export type BridgeWord = {
  reported_at: number;
  valid_until: number;
  /** The last words in which it heard its broker, and knew its spool. */
  broker_heard_at: number;
  spool_known_at: number;
  /** Null while it does not know. */
  spool_state: SpoolState | null;
  /** Null while it cannot be read. */
  spool_depth: number | null;
  /** Null when nothing waits. */
  spool_oldest_at: number | null;
};

/**
 * What a bridge's word says at `now`. Of a bridge that has fallen silent only that is known; of one that never spoke,
 * nothing.
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

/** Told at once: the bridge takes nothing more. Over when it has gone well for a while, as space comes and goes. */
function judgeFailure(word: BridgeWord | null, failure: SpoolState, now: number): Verdict {
  if (word === null || word.spool_state === null) return UNKNOWN;
  if (word.spool_state === failure) return isBad(word.reported_at);
  return judgeSilence(now, WAITS_MS, now);
}
