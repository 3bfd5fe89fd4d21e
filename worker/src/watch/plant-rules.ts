import { clockSkewText, faultTexts } from '#contract/moisture/faults';
import { MINUTE_MS } from '#contract/time';
import type { StoredAssessment } from '#contract/plants';
import { badVerdict, wellVerdict, SHORTEST_ALERT_LIMIT_MS, UNKNOWN_VERDICT, type Verdict } from './rules.ts';

/* Which alerts follow from the assessment of a plant. Instants are milliseconds since 1970. */

export type WatchedPlant = {
  /** When a bridge last received a reading of the plant. */
  heardAt: number;
  staleAfterMinutes: number;
  /** Null before the first assessment. */
  assessment: StoredAssessment | null;
};

/**
 * A board is silent if no reading was received within its limit. A second reading must follow before the
 * board counts as back. The alert ends once the board was back for longer than the silence limit.
 */
export function judgeBoard({ heardAt, staleAfterMinutes, assessment }: WatchedPlant, now: number): Verdict {
  const limit = assessment?.silent_after_ms ?? staleAfterMinutes * MINUTE_MS;
  const silence = now - heardAt;
  const isSilent = silence > Math.max(limit, SHORTEST_ALERT_LIMIT_MS);
  return { state: isSilent ? 'bad' : 'well', since: heardAt, holdMs: silence + 1 };
}

/** During a fault the readings show nothing about the soil, so an alert stays unchanged. */
export function judgeSoil({ assessment }: WatchedPlant, now: number): Verdict {
  if (assessment === null || assessment.fault !== null) return UNKNOWN_VERDICT;
  return assessment.dry === null ? wellVerdict(now) : badVerdict(assessment.dry.since);
}

export function judgeSensor({ assessment }: WatchedPlant, now: number): Verdict {
  if (assessment === null) return UNKNOWN_VERDICT;
  return assessment.fault === null
    ? wellVerdict(now)
    : badVerdict(assessment.fault.since, faultTexts[assessment.fault.kind]);
}

export function judgeClock({ assessment }: WatchedPlant, now: number): Verdict {
  if (assessment === null) return UNKNOWN_VERDICT;
  return assessment.clock_off_ms === null
    ? wellVerdict(now)
    : badVerdict(now, clockSkewText(assessment.clock_off_ms));
}
