import type { ReactNode } from 'react';
import { DialogFrame } from './dialog-frame.tsx';
import { Button } from './ui/button.tsx';
import { DialogClose, DialogFooter } from './ui/dialog.tsx';

type Props = {
  title: string;
  /** The consequences, if the title does not say all of them. */
  children?: ReactNode;
  submitLabel: string;
  isDestructive?: boolean;
  /** Disables the button until the user has typed the required text. */
  isHeld?: boolean;
  onSubmit: () => void;
  /** Called on cancel, and after `onSubmit` too. */
  onClose: () => void;
  returnFocusTo: HTMLElement | null;
};

/** Asks for confirmation. Open while it is rendered; Esc and a click outside cancel. */
export function ConfirmDialog({
  title,
  children,
  submitLabel,
  isDestructive = false,
  isHeld = false,
  onSubmit,
  onClose,
  returnFocusTo,
}: Props) {
  return (
    <DialogFrame
      title={title}
      description={children}
      className="max-w-[400px]"
      onClose={onClose}
      returnFocusTo={returnFocusTo}
    >
      <DialogFooter className="mt-6">
        <DialogClose asChild>
          <Button variant="outline">취소</Button>
        </DialogClose>
        <Button
          variant={isDestructive ? 'destructive' : 'default'}
          disabled={isHeld}
          onClick={() => {
            onSubmit();
            onClose();
          }}
        >
          {submitLabel}
        </Button>
      </DialogFooter>
    </DialogFrame>
  );
}

export function AlertDialog({
  text,
  onClose,
  returnFocusTo,
}: {
  text: string;
  onClose: () => void;
  returnFocusTo: HTMLElement | null;
}) {
  return (
    <DialogFrame role="alertdialog" title={text} onClose={onClose} returnFocusTo={returnFocusTo}>
      <DialogFooter className="mt-6">
        <Button onClick={onClose}>확인</Button>
      </DialogFooter>
    </DialogFrame>
  );
}
