import { Outlet, useMatches, useRouter } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { timesForgotten } from '../../lib/forget.ts';
import { useHeldUser } from '../../lib/held-session.ts';
import { useLoginState } from '../../lib/login-state.ts';
import { isGuardedPage, mayOpen } from '../../lib/page-access.ts';
import { showToast } from '../../lib/toast.ts';
import { FindButton } from '../find/find-button.tsx';
import { FrameSlot } from './frame-slot.tsx';
import { ScreenPending } from './screen-pending.tsx';
import { SideBar } from './side-bar.tsx';

type Props = {
  /** Sign-in for the user whose session has ended while something was unsaved. */
  signIn: (userId: number) => ReactNode;
};

/**
 * Frame of every page that needs a login. As soon as nobody is signed in, in this tab or another, it is empty. It leads
 * to /login, unless something is unsaved: then one signs in over the empty screen, which is built anew from its address
 * and its drafts. When the user changes, the guard runs again and the page starts over. A level that is no longer sufficient
 * is treated as a 403. Side bar and search come with it.
 */
export function SignedInFrame({ signIn }: Props) {
  const login = useLoginState();
  const { id, isLoggedIn } = login;
  const router = useRouter();
  const { fullPath, staticData } = useMatches().at(-1) ?? {};
  const isRefused = isGuardedPage(fullPath) && !mayOpen(login, fullPath);
  const [guardedFor, setGuardedFor] = useState(id);
  const held = useHeldUser();
  const isHeld = !isLoggedIn && held !== undefined;
  useEffect(() => {
    if (isHeld) {
      showToast(401);
    } else if (!isLoggedIn) {
      showToast(401);
      void router.navigate({ to: '/login', replace: true, state: { sessionEnded: true } });
    } else if (guardedFor !== id) {
      void router.invalidate().then(() => setGuardedFor(id));
    } else if (isRefused) {
      void router.options.context.react(new ApiError(403));
    }
  }, [guardedFor, id, isHeld, isLoggedIn, isRefused, router]);
  if (isHeld) return signIn(held);
  const isLeft = isRefused && staticData?.onForbidden === 'back';
  if (!isLoggedIn || guardedFor !== id || isLeft) return <ScreenPending />;
  return (
    <>
      {isGuardedPage(fullPath) && (
        <FrameSlot id="side-bar">
          <SideBar page={fullPath} />
        </FrameSlot>
      )}
      <FrameSlot id="find">
        <FindButton />
      </FrameSlot>
      <Outlet key={timesForgotten()} />
    </>
  );
}
