import { clockText, faultTexts } from '#contract/plant-troubles';
import { MINUTE_MS } from '#contract/time';
import type { StoredStory } from '#contract/plants';
import { badVerdict, wellVerdict, SHORTEST_LIMIT_MS, UNKNOWN_VERDICT, type Verdict } from './rules.ts';

/* Which alerts follow from the story of a plant. Instants are milliseconds since 1970. */

export type WatchedPlant = {
  /** When a bridge last received a reading of the plant. */
  heardAt: number;
  staleAfterMinutes: number;
  /** Null before the first story. */
  story: StoredStory | null;
};

/**
 * A board is silent if no reading was received within its limit. It counts as back only after a second
 * reading since its return. The alert ends once the board was well for longer than the silence limit.
 */
export function judgeBoard({ heardAt, staleAfterMinutes, story }: WatchedPlant, now: number): Verdict {
  const limit = story?.silent_after_ms ?? staleAfterMinutes * MINUTE_MS;
  const silence = now - heardAt;
  const isSilent = silence > Math.max(limit, SHORTEST_LIMIT_MS);
  return { state: isSilent ? 'bad' : 'well', since: heardAt, holdMs: silence + 1 };
}

/** During a fault the readings show nothing about the soil, so an alert stays unchanged. */
export function judgeSoil({ story }: WatchedPlant, now: number): Verdict {
  if (story === null || story.fault !== null) return UNKNOWN_VERDICT;
  return story.dry === null ? wellVerdict(now) : badVerdict(story.dry.since);
}

export function judgeSensor({ story }: WatchedPlant, now: number): Verdict {
  if (story === null) return UNKNOWN_VERDICT;
  return story.fault === null
    ? wellVerdict(now)
    : badVerdict(story.fault.since, faultTexts[story.fault.kind]);
}

export function judgeClock({ story }: WatchedPlant, now: number): Verdict {
  if (story === null) return UNKNOWN_VERDICT;
  return story.clock_off_ms === null ? wellVerdict(now) : badVerdict(now, clockText(story.clock_off_ms));
}
