/** When nothing has arrived for so long after a full batch, a burst is over, and its rest need not wait for more. */
export const BURST_OVER_MS = 25;

export type Gathering = {
  /** Something was spooled. */
  arrived: (now: number) => void;
  /** A batch was begun; `wasFull` when there were as many readings as it may hold. */
  began: (now: number, wasFull: boolean) => void;
  /** What is left is sent without delay: it had been due with the batch before, or that failed. */
  hurry: () => void;
  /** Milliseconds until what is spooled is to be sent, 0 when it is now. */
  waitMs: (now: number, isFull: boolean) => number;
};

/** How many batches go at once after a silence; each comes back after `lingerMs`. */
export const AT_ONCE = 3;

/**
 * When the next batch is due, so that readings that come singly are sent together. After a silence the first few go at
 * once, then a batch every `lingerMs`, and a full one without delay. All times are milliseconds of one clock that is never
 * set.
 */
export function createGathering(lingerMs: number): Gathering {
  let arrivedAt = -Infinity;
  /** When all of `AT_ONCE` are there again. */
  let restedAt = -Infinity;
  let wasFull = false;
  let isHurried = false;
  return {
    arrived: (now) => {
      arrivedAt = now;
    },
    began: (now, full) => {
      // Full batches use up what there is and no more: nothing waits longer than `lingerMs` for them.
      restedAt = Math.min(Math.max(restedAt, now) + lingerMs, now + AT_ONCE * lingerMs);
      wasFull = full;
      isHurried = false;
    },
    hurry: () => {
      isHurried = true;
    },
    waitMs: (now, isFull) => {
      if (isFull || isHurried) return 0;
      const lingers = restedAt - (AT_ONCE - 1) * lingerMs;
      const until = wasFull ? Math.min(lingers, arrivedAt + BURST_OVER_MS) : lingers;
      return Math.max(0, until - now);
    },
  };
}
