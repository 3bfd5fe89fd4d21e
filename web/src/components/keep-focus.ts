import { useLayoutEffect, useRef, type FocusEvent } from 'react';

/**
 * Moves the focus to the surrounding part when the focused element disappears, such as the button of a deleted row; the
 * browser would move it to the top of the page. The part needs a tabIndex.
 * @returns props for the part; `ref` is its element
 */
export function useKeepFocus<Part extends HTMLElement>() {
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
