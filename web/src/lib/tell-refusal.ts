import { showToast } from './toast.ts';

let isTold = false;

/**
 * Tells that something was refused, once for all that somebody's last act led to: calls that went together, and what a
 * screen asks anew once the level is known to be lower.
 * @returns whether it was news
 */
export function tellRefusal(): boolean {
  if (isTold) return false;
  isTold = true;
  showToast(403);
  return true;
}

for (const type of ['pointerdown', 'keydown']) {
  addEventListener(
    type,
    ({ isTrusted }) => {
      if (isTrusted) isTold = false;
    },
    { capture: true, passive: true },
  );
}
