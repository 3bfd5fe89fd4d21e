import { Outlet, useMatches, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { timesForgotten } from '../../lib/forget.ts';
import { useLoginState } from '../../lib/login-state.ts';
import { isGuardedPage, mayOpen } from '../../lib/page-access.ts';
import { showToast } from '../../lib/toast.ts';
import { ScreenPending } from './screen-pending.tsx';

/**
 * Frame of every page that needs a login. As soon as nobody is signed in, in this tab or another, it is empty and leads
 * to /login. When the user changes, the guard runs again and the page starts over. A level that is no longer sufficient
 * is treated as a 403.
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
