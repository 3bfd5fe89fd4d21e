import { useLayoutEffect, useRef, type FocusEvent } from 'react';

/**
 * Keeps the focus when what had it is gone, a deleted row's button for one: it goes to the part around it and not to
 * the page's beginning. The part needs a tabIndex.
 * @returns what to spread on the part; `ref` is where it is on the page
 */
export function useHeldFocus<Part extends HTMLElement>() {
  const ref = useRef<Part>(null);
  const held = useRef<Element>(undefined);
  useLayoutEffect(() => {
    if (held.current?.isConnected !== false) return;
    held.current = undefined;
    if (document.activeElement === document.body) ref.current?.focus({ preventScroll: true });
  });
  return {
    ref,
    onFocus: ({ target }: FocusEvent) => {
      held.current = target;
    },
    onBlur: () => {
      held.current = undefined;
    },
  };
}
