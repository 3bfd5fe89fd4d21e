import { UNUSUAL_ENTRIES, UNUSUAL_TIMES } from '#contract/log-reviews';

/** What one person did on one day. */
export type ActorDay = { actorId: number; day: string; entries: number; nightly: number };

/** With fewer days nobody can say what is usual. */
const DAYS_TO_KNOW = 3;

/** Days on which somebody did far more than on their other days. `usual` is the median of those. */
export function busyDays(days: readonly ActorDay[]): (ActorDay & { usual: number })[] {
  const byActor = Map.groupBy(days, ({ actorId }) => actorId);
  return days.flatMap((day) => {
    const others = (byActor.get(day.actorId) ?? []).filter((each) => each !== day);
    const usual = others.length < DAYS_TO_KNOW ? 0 : median(others.map(({ entries }) => entries));
    const isUnusual = day.entries >= Math.max(UNUSUAL_ENTRIES, usual * UNUSUAL_TIMES);
    return isUnusual ? [{ ...day, usual }] : [];
  });
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
