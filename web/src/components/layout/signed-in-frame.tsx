import { Outlet, useMatches, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { timesForgotten } from '../../lib/forget.ts';
import { useLoginState } from '../../lib/login-state.ts';
import { isGuardedPage, mayOpen } from '../../lib/page-access.ts';
import { showToast } from '../../lib/toast.ts';
import { ScreenPending } from './screen-pending.tsx';

/**
 * Frame of every page that needs a login. At the moment in which nobody is signed in any more, in this tab or another,
 * it is empty and leads to /login; for another user the guard is asked again and the page starts anew. A level that has
 * become too low is met as a call that is refused.
 */
export function SignedInFrame() {
  const login = useLoginState();
  const { id, isLoggedIn } = login;
  const router = useRouter();
  const { fullPath, staticData } = useMatches().at(-1) ?? {};
  const isRefused = isGuardedPage(fullPath) && !mayOpen(login, fullPath);
  const [guardedFor, setGuardedFor] = useState(id);
  useEffect(() => {
    if (!isLoggedIn) {
      showToast(401);
      void router.navigate({ to: '/login', replace: true, state: { sessionEnded: true } });
    } else if (guardedFor !== id) {
      void router.invalidate().then(() => setGuardedFor(id));
    } else if (isRefused) {
      void router.options.context.react(new ApiError(403));
    }
  }, [guardedFor, id, isLoggedIn, isRefused, router]);
  const isLeft = isRefused && staticData?.onForbidden === 'back';
  if (!isLoggedIn || guardedFor !== id || isLeft) return <ScreenPending />;
  return <Outlet key={timesForgotten()} />;
}
