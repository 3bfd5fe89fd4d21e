import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { loginState } from '../lib/login-state.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

type Props = {
  /** Whether an operation is running that would be lost. */
  isBusy: boolean;
  title: string;
  children: ReactNode;
};

/** After the session has expired, leaving the page cannot be prevented. */
const isSignedIn = () => loginState().isLoggedIn;

/** Asks before the user leaves during an operation that no draft can store, such as an upload. */
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
