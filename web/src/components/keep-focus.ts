import { useLayoutEffect, useRef, type FocusEvent } from 'react';

/**
 * Moves the focus to the surrounding element when the focused element disappears, such as a deleted row's
 * button. The browser would move the focus to the top of the page. The surrounding element needs a tabIndex.
 * @returns props for the surrounding element, with its `ref`
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
