/** A pause that `wake` ends early. If `wake` is called while nobody waits, the next pause ends at once. */
type Pause = { wait: (ms: number) => Promise<void>; wake: () => void };

/** A timer with a longer time would overflow and fire at once. */
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
