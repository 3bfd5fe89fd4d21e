import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { timesForgotten } from '../../lib/forget.ts';
import { useLoginState } from '../../lib/login-state.ts';
import { showToast } from '../../lib/toast.ts';
import { ScreenPending } from './screen-pending.tsx';

/**
 * Frame of every page that needs a login. At the moment in which nobody is signed in any more, in this tab or another,
 * it is empty and leads to /login; for another user the guard is asked again and the page starts anew.
 */
export function SignedInFrame() {
  const { id, isLoggedIn } = useLoginState();
  const router = useRouter();
  const [guardedFor, setGuardedFor] = useState(id);
  useEffect(() => {
    if (!isLoggedIn) {
      showToast(401);
      void router.navigate({ to: '/login', replace: true, state: { sessionEnded: true } });
    } else if (guardedFor !== id) {
      void router.invalidate().then(() => setGuardedFor(id));
    }
  }, [guardedFor, id, isLoggedIn, router]);
  if (!isLoggedIn || guardedFor !== id) return <ScreenPending />;
  return <Outlet key={timesForgotten()} />;
}
