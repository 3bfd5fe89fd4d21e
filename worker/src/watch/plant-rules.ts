import { clockText, faultTexts } from '#contract/plant-troubles';
import { MINUTE_MS } from '#contract/time';
import type { StoredStory } from '#contract/plants';
import { badVerdict, wellVerdict, SHORTEST_LIMIT_MS, UNKNOWN_VERDICT, type Verdict } from './rules.ts';

/* What the story of a plant says to those who are told. Instants are milliseconds since 1970. */

/** What the watch knows of a plant. */
export type Watched = {
  /** When a bridge last received a reading of it. */
  heardAt: number;
  staleAfterMinutes: number;
  /** Null before the first was told. */
  story: StoredStory | null;
};

/**
 * Silent is a board that has kept its limit no more, as the bridge received it. It is back when it is heard a second time
 * since it was seen to be back: the alert ends once it was well for longer than it is silent now.
 */
export function judgeBoard({ heardAt, staleAfterMinutes, story }: Watched, now: number): Verdict {
  const limit = story?.silent_after_ms ?? staleAfterMinutes * MINUTE_MS;
  const silence = now - heardAt;
  const isSilent = silence > Math.max(limit, SHORTEST_LIMIT_MS);
  return { state: isSilent ? 'bad' : 'well', since: heardAt, holdMs: silence + 1 };
}

/** A sensor that is at fault says nothing of the soil: an alert stays as it is. */
export function judgeSoil({ story }: Watched, now: number): Verdict {
  if (story === null || story.fault !== null) return UNKNOWN_VERDICT;
  return story.dry === null ? wellVerdict(now) : badVerdict(story.dry.since);
}

export function judgeSensor({ story }: Watched, now: number): Verdict {
  if (story === null) return UNKNOWN_VERDICT;
  return story.fault === null
    ? wellVerdict(now)
    : badVerdict(story.fault.since, faultTexts[story.fault.kind]);
}

export function judgeClock({ story }: Watched, now: number): Verdict {
  if (story === null) return UNKNOWN_VERDICT;
  return story.clock_off_ms === null ? wellVerdict(now) : badVerdict(now, clockText(story.clock_off_ms));
}
