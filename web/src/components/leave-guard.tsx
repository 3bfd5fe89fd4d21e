import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { loginState } from '../lib/login-state.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

type Props = {
  /** Whether something runs that would be lost. */
  isBusy: boolean;
  title: string;
  children: ReactNode;
};

/** An expired session cannot be held back. */
const isSignedIn = () => loginState().isLoggedIn;

/** Asks before somebody leaves while something runs that no draft can hold, such as an upload. */
export function LeaveGuard({ isBusy, title, children }: Props) {
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
