import { groupOf } from '#contract/plant-group';
import { MINUTE_MS } from '#contract/time';
import { backoffMs, type PACE } from './pause.ts';
import type { SpooledReading } from './spool-tables.ts';

export type MovingGroups = {
  /**
   * The ingest worker has named these readings: the plants of their groups are on their way into another database.
   * @param leastMs how long it asks to wait
   * @returns milliseconds until they may be sent again, longer each time
   */
  named: (readings: readonly SpooledReading[], leastMs: number) => number;
  /** These were answered one by one, so their groups do not move any more. @returns whether none does now, and one did */
  answered: (readings: readonly SpooledReading[]) => boolean;
  /** Groups whose readings are to be left out now. */
  leftOut: () => string[];
  /** Milliseconds until the next of them may be sent again; Infinity without any. */
  nextIn: () => number;
};

/** A group that is not named again within this time after its wait has no reading left. */
const FORGOTTEN_AFTER_MS = MINUTE_MS;

const groupsOf = (readings: readonly SpooledReading[]) =>
  new Set(readings.map(({ reading }) => groupOf(reading.plant)));

/**
 * The groups whose readings wait for a move, kept in memory alone: no reading is written again for it, and a bridge that starts
 * anew is told anew.
 */
export function createMovingGroups(
  uptime: () => number,
  { firstRetryMs, longestRetryMs }: Pick<typeof PACE, 'firstRetryMs' | 'longestRetryMs'>,
): MovingGroups {
  const moving = new Map<string, { times: number; until: number }>();
  const forget = () => {
    for (const [group, { until }] of moving) if (until + FORGOTTEN_AFTER_MS < uptime()) moving.delete(group);
  };
  return {
    named: (readings, leastMs) => {
      forget();
      const waits = [...groupsOf(readings)].map((group) => {
        const times = moving.get(group)?.times ?? 0;
        const waitMs = Math.max(leastMs, backoffMs(times, firstRetryMs, longestRetryMs));
        moving.set(group, { times: times + 1, until: uptime() + waitMs });
        return waitMs;
      });
      return Math.min(...waits);
    },
    answered: (readings) => {
      const had = moving.size > 0;
      forget();
      for (const group of groupsOf(readings)) moving.delete(group);
      return had && moving.size === 0;
    },
    leftOut: () => [...moving].flatMap(([group, { until }]) => (until > uptime() ? [group] : [])),
    nextIn: () =>
      Math.min(...[...moving.values()].map(({ until }) => until - uptime()).filter((waitMs) => waitMs > 0)),
  };
}
