import { useBlocker } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from './ui/dialog.tsx';

type Props = {
  title: string;
  /** Announced together with the title. */
  description?: ReactNode;
  role?: 'dialog' | 'alertdialog';
  className?: string;
  /** Set if the first button makes a choice: it gets no focus, so that a second Enter does not press it. */
  isChoice?: boolean;
  onClose: () => void;
  /** The element that gets the focus after closing; the page's main part if that element is gone. */
  returnFocusTo: HTMLElement | null;
  children: ReactNode;
};

const TEXT_FIELDS = 'form :is(input:not([type=radio], [type=checkbox], [readonly]), textarea)';

/**
 * A dialog that is shown as long as it is rendered. Esc, a click outside and the browser's Back close it. At
 * first the focus is in the first field if that field is empty, otherwise in the first empty required field,
 * otherwise on the dialog.
 */
export function DialogFrame({
  title,
  description,
  role = 'dialog',
  className = 'max-w-[480px]',
  isChoice = false,
  onClose,
  returnFocusTo,
  children,
}: Props) {
  const content = useRef<HTMLDivElement>(null);
  const isOnTop = () =>
    [...document.querySelectorAll('[data-slot=dialog-content]')].at(-1) === content.current;
  useBlocker({
    shouldBlockFn: ({ action }) => {
      const isBack = action === 'BACK' && isOnTop();
      if (isBack) onClose();
      return isBack;
    },
    enableBeforeUnload: false,
  });
  // Radix puts a toast that appears after the dialog above the dialog: the toast would get the Escape key.
  const closeUnderToast = useEffectEvent(({ key, defaultPrevented, target }: KeyboardEvent) => {
    const isInToast = target instanceof Element && target.closest('[data-slot=toast-viewport]') !== null;
    if (key === 'Escape' && !defaultPrevented && !isInToast && isOnTop()) onClose();
  });
  useEffect(() => {
    addEventListener('keydown', closeUnderToast);
    return () => removeEventListener('keydown', closeUnderToast);
  }, []);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        ref={content}
        lang="ko"
        role={role}
        {...(description === undefined && { 'aria-describedby': undefined })}
        onOpenAutoFocus={(event) => {
          const fields = content.current?.querySelectorAll<HTMLInputElement>(TEXT_FIELDS) ?? [];
          if (fields.length === 0 && !isChoice) return;
          // A stored text is not selected, so that the next key does not overwrite the text.
          event.preventDefault();
          const isNext = (field: HTMLInputElement, at: number) =>
            field.value === '' && (at === 0 || field.required);
          ([...fields].find(isNext) ?? content.current)?.focus();
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          const isThere = returnFocusTo?.isConnected === true;
          (isThere ? returnFocusTo : document.getElementById('main'))?.focus({ preventScroll: true });
        }}
        className={className}
      >
        <DialogHeader>
          <DialogTitle>{title}</DialogTitle>
          {description !== undefined && (
            <DialogDescription asChild>
              <div>{description}</div>
            </DialogDescription>
          )}
        </DialogHeader>
        {children}
      </DialogContent>
    </Dialog>
  );
}
