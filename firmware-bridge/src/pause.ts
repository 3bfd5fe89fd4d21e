/**
 * How long readings that come singly are gathered, counted from the batch before; initial and maximum delays after a
 * failure, and for a single reading on which the ingest worker fails.
 */
export const PACE = {
  lingerMs: 1000,
  firstRetryMs: 250,
  longestRetryMs: 30_000,
  firstPutOffMs: 1000,
  longestPutOffMs: 60_000,
};

/** A pause that can be cut short. A wake without anyone waiting ends the next pause at once. */
type Pause = { wait: (ms: number) => Promise<void>; wake: () => void };

/** Timers overflow beyond this and fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export function createPause(): Pause {
  let woken = false;
  let end: (() => void) | undefined;
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        if (woken) {
          woken = false;
          resolve();
          return;
        }
        const finish = () => {
          clearTimeout(timer);
          end = undefined;
          resolve();
        };
        const timer = setTimeout(finish, Math.min(ms, TIMER_MAX_MS));
        end = finish;
      }),
    wake: () => {
      if (end === undefined) woken = true;
      else end();
    },
  };
}

/**
 * Milliseconds before the next attempt: doubling from `firstMs` to `mostMs`, with random jitter down to half of that,
 * so that bridges that failed together do not retry together.
 * @param failures failed attempts so far, from 0
 */
export function backoffMs(failures: number, firstMs: number, mostMs: number): number {
  return Math.min(mostMs, firstMs * 2 ** failures) * (0.5 + Math.random() / 2);
}
