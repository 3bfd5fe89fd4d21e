/** A pause that somebody else can cut short. A wake that comes while nobody pauses ends the next pause at once. */
export type Pause = { wait: (ms: number) => Promise<void>; wake: () => void };

/** Longest delay that a timer takes; a longer one would fire at once. */
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
 * Milliseconds to wait before another attempt: doubling from `firstMs` to `mostMs`, and between half and all
 * of that by chance, so that bridges that failed together do not come back together.
 * @param failures failed attempts so far, from 0
 */
export function backoffMs(failures: number, firstMs: number, mostMs: number): number {
  return Math.min(mostMs, firstMs * 2 ** failures) * (0.5 + Math.random() / 2);
}
