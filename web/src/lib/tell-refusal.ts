import { showToast } from './toast.ts';

let isTold = false;

/**
 * Reports a refusal once per user action, which may have caused several calls, and further ones once the lower level is
 * known.
 * @returns whether it was reported now
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
