import { UNUSUAL_RECORDS, UNUSUAL_TIMES } from '#contract/log-reviews';

/** What one person, or the operator (null), did on one day; `records` as on `ActorSummary`. */
export type ActorDay = {
  actorId: number | null;
  day: string;
  entries: number;
  records: number;
  nightly: number;
};

/** With fewer days nobody can say what is usual. */
const DAYS_TO_KNOW = 3;

/** How much was handled: an entry about nobody counts as one. */
const handledOn = ({ entries, records }: ActorDay) => Math.max(entries, records);

/** Days on which somebody handled far more than on their other days. `usual` is the median of those. */
export function busyDays(days: readonly ActorDay[]): (ActorDay & { handled: number; usual: number })[] {
  const byActor = Map.groupBy(days, ({ actorId }) => actorId);
  return days.flatMap((day) => {
    const others = (byActor.get(day.actorId) ?? []).filter((each) => each !== day);
    const usual = others.length < DAYS_TO_KNOW ? 0 : median(others.map(handledOn));
    const handled = handledOn(day);
    const isUnusual = handled >= Math.max(UNUSUAL_RECORDS, usual * UNUSUAL_TIMES);
    return isUnusual ? [{ ...day, handled, usual }] : [];
  });
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
