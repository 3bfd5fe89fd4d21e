import type { ReactNode } from 'react';
import { useBlocker } from '@tanstack/react-router';
import { DialogFrame } from './dialog-frame.tsx';
import { Button } from './ui/button.tsx';
import { DialogClose, DialogFooter } from './ui/dialog.tsx';
import { loginState } from '../lib/login-state.ts';

type Props = {
  title: string;
  /** Says the consequences that the title does not say. */
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

/** Asks for confirmation as long as the dialog is rendered. Esc and a click outside cancel. */
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

type LeaveGuardProps = {
  /** Whether an operation is running that would be lost if the user left the page. */
  isBusy: boolean;
  title: string;
  children: ReactNode;
};

/** After the session has expired, leaving the page cannot be prevented. */
const isSignedIn = () => loginState().isLoggedIn;

/** Asks before the user leaves during an operation that no draft can store, such as an upload. */
export function LeaveGuard({ isBusy, title, children }: LeaveGuardProps) {
  const blocker = useBlocker({
    disabled: !isBusy,
    shouldBlockFn: isSignedIn,
    enableBeforeUnload: true,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={title}
      submitLabel="나가기"
      isDestructive
      returnFocusTo={null}
      onClose={blocker.reset}
      onSubmit={blocker.proceed}
    >
      {children}
    </ConfirmDialog>
  );
}
