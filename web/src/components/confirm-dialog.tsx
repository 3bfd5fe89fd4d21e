import * as Dialog from '@radix-ui/react-dialog';
import type { ReactNode } from 'react';
import { Button } from './ui/button.tsx';

type Props = {
  title: string;
  /** What will happen, where the title does not say it all. */
  children?: ReactNode;
  submitLabel: string;
  isDestructive?: boolean;
  onSubmit: () => void;
  onCancel: () => void;
  /** Where the focus goes when the dialog has closed; the page's main part when it is gone by then. */
  returnFocusTo: HTMLElement | null;
};

/** Asks before something is done. Shown as long as it is rendered; Esc and a click outside cancel. */
export function ConfirmDialog({
  title,
  children,
  submitLabel,
  isDestructive = false,
  onSubmit,
  onCancel,
  returnFocusTo,
}: Props) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onCancel()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.35)] animate-[fade-in_140ms_ease-out]" />
        <Dialog.Content
          lang="ko"
          {...(children === undefined && { 'aria-describedby': undefined })}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const isThere = returnFocusTo?.isConnected === true;
            (isThere ? returnFocusTo : document.getElementById('main'))?.focus({ preventScroll: true });
          }}
          className="fixed top-1/2 left-1/2 z-40 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-[400px] -translate-1/2 overflow-y-auto rounded-lg border border-line bg-surface p-6 outline-none animate-[fade-in_140ms_ease-out]"
        >
          <Dialog.Title className="text-lg leading-snug font-semibold wrap-anywhere">{title}</Dialog.Title>
          {children !== undefined && (
            <Dialog.Description asChild>
              <div className="mt-2 space-y-2 text-ink-soft wrap-anywhere">{children}</div>
            </Dialog.Description>
          )}
          <div className="mt-6 flex justify-end gap-2">
            <Dialog.Close asChild>
              <Button look="outline">취소</Button>
            </Dialog.Close>
            <Button look={isDestructive ? 'danger' : 'filled'} onClick={onSubmit}>
              {submitLabel}
            </Button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
