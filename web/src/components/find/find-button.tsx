import { useEffect, useEffectEvent, useState } from 'react';
import { Search } from '../ui/icons.tsx';
import { FindDialog } from './find-dialog.tsx';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Compares the key's code, because with a Korean keyboard layout the same key types another letter. */
const isShortcut = ({ ctrlKey, metaKey, altKey, shiftKey, code }: KeyboardEvent) =>
  code === 'KeyK' && (isMac ? metaKey : ctrlKey) && !altKey && !shiftKey;

/** Opens the search over the page, also by Ctrl+K or ⌘K. */
export function FindButton() {
  /** The element that gets the focus back when the search is closed. */
  const [from, setFrom] = useState<Element | null>();
  const isOpen = from !== undefined;
  const open = () => setFrom(document.activeElement);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isShortcut(event)) return;
    event.preventDefault();
    if (isOpen) setFrom(undefined);
    // While another dialog is open, the shortcut does nothing.
    else if (!document.querySelector('[role=dialog], [role=alertdialog]')) open();
  });
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const keys = isMac ? '⌘K' : 'Ctrl K';
  return (
    <>
      <button
        type="button"
        lang="ko"
        aria-haspopup="dialog"
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        onClick={open}
        className="flex size-11 items-center justify-center gap-2 rounded-md hover:bg-sunken sm:size-auto sm:min-h-10 sm:min-w-44 sm:justify-start sm:border sm:border-line-strong sm:px-3"
      >
        <Search />
        <span className="text-sm text-ink-soft max-sm:sr-only">찾기</span>
        <kbd aria-hidden className="ml-auto font-sans text-xs text-ink-soft max-sm:hidden">
          {keys}
        </kbd>
      </button>
      {isOpen && <FindDialog returnFocusTo={from} onClose={() => setFrom(undefined)} />}
    </>
  );
}
