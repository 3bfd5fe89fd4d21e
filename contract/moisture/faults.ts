import { DAY_MS, HOUR_MS } from '../time.ts';
import { everyOf, holdOf, type Interval } from './series.ts';

/**
 * Why a sensor cannot be right: its readings lie at an end of the converter (`rail`), jump as soil cannot (`loose`), went
 * into the air at once (`out`), have not moved for a day (`flat`), or are without order (`noisy`).
 */
export type FaultKind = 'rail' | 'loose' | 'out' | 'flat' | 'noisy';

/** `to` is null while it goes on. */
export type Fault = { kind: FaultKind; from: number; to: number | null };

const isRail = (raw: number) => raw <= 3 || raw >= 1020;

/** The faults of a sensor, oldest first, none within another. */
export function findFaults(intervals: readonly Interval[], now: number): Fault[] {
  const hold = holdOf(everyOf(intervals));
  const faults: (Fault & { last: number; count: number })[] = [];
  for (const { lowest, highest, count } of intervals) {
    if (!isRail(lowest.raw) && !isRail(highest.raw)) continue;
    const open = faults.at(-1);
    const last = Math.max(lowest.time, highest.time);
    if (open && last - open.last <= hold) Object.assign(open, { last, count: open.count + count });
    else faults.push({ kind: 'rail', from: Math.min(lowest.time, highest.time), to: null, last, count });
  }
  return faults
    .filter(({ count }) => count >= 3)
    .map(({ kind, from, last }) => ({
      kind,
      from,
      to: now - last > Math.min(DAY_MS, hold + HOUR_MS) ? last : null,
    }));
}

/** Whether an instant lies in a fault. */
export const isFaulty = (faults: readonly Fault[], time: number) =>
  faults.some(({ from, to }) => from <= time && (to === null || time <= to));
