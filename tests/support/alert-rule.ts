/** What the database's trigger does with every reading, said once more and plainly. */
import type { Sample } from '#contract/moisture';

/** In percent. An alert is raised below `below` and lifted at `clear`, which is not lower. */
type AlertLimits = { below: number; clear: number };

export const DEFAULT_ALERT_LIMITS: AlertLimits = { below: 20, clear: 25 };

/** Whether the alert stands after a reading, given whether it stood before. Between the limits nothing changes. */
export function isAlertAfter(stoodBefore: boolean, percent: number, { below, clear }: AlertLimits): boolean {
  return stoodBefore ? percent < clear : percent < below;
}

/** When the alert that stands after the last sample was raised; null when none stands. */
export function alertSince(samples: readonly Sample[], limits: AlertLimits): number | null {
  let since: number | null = null;
  for (const { time, percent } of samples) {
    since = isAlertAfter(since !== null, percent, limits) ? (since ?? time) : null;
  }
  return since;
}
