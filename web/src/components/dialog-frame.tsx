import * as Dialog from '@radix-ui/react-dialog';
import type { ReactNode } from 'react';

type Props = {
  title: string;
  role?: 'dialog' | 'alertdialog';
  onClose: () => void;
  /** Where the focus goes afterwards; the page's main part when it is gone by then. */
  returnFocusTo: HTMLElement | null;
  children: ReactNode;
};

/** A dialog that is shown as long as it is rendered. Esc and a click outside close it. */
export function DialogFrame({ title, role = 'dialog', onClose, returnFocusTo, children }: Props) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.35)] animate-[fade-in_140ms_ease-out]" />
        <Dialog.Content
          lang="ko"
          role={role}
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const isThere = returnFocusTo?.isConnected === true;
            (isThere ? returnFocusTo : document.getElementById('main'))?.focus({ preventScroll: true });
          }}
          className="fixed top-1/2 left-1/2 z-40 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-[480px] -translate-1/2 overflow-y-auto rounded-lg border border-line bg-surface p-6 outline-none animate-[fade-in_140ms_ease-out]"
        >
          <Dialog.Title className="text-lg leading-snug font-semibold wrap-anywhere">{title}</Dialog.Title>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
