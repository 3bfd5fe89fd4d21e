import * as Dialog from '@radix-ui/react-dialog';
import type { ReactNode } from 'react';

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  closeLabel: string;
  /** Says where the focus goes when the panel has closed. */
  onClosed: () => void;
  children: ReactNode;
};

/** A panel that slides in from the left over the page. Focus stays inside until it closes. */
export function Sheet({ open, onOpenChange, title, closeLabel, onClosed, children }: Props) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.35)] data-[state=closed]:animate-[fade-out_140ms_ease-in] data-[state=open]:animate-[fade-in_180ms_ease-out]" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            onClosed();
          }}
          className="fixed inset-y-0 left-0 z-40 flex w-[min(20rem,85vw)] flex-col overflow-y-auto border-r border-line bg-surface outline-none data-[state=closed]:animate-[slide-out_140ms_ease-in] data-[state=open]:animate-[slide-in_200ms_ease-out]"
        >
          <div className="flex h-(--bar-height) shrink-0 items-center justify-between border-b border-line pr-2 pl-6">
            <Dialog.Title className="text-base font-semibold">{title}</Dialog.Title>
            <Dialog.Close
              aria-label={closeLabel}
              className="grid size-11 place-items-center rounded-md hover:bg-sunken"
            >
              <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden fill="none" stroke="currentColor">
                <path d="M4.5 4.5l11 11m0-11l-11 11" strokeWidth="1.6" strokeLinecap="round" />
              </svg>
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
