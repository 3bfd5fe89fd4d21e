import { Outlet, useBlocker, useMatches, useRouter, Link } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode, useSyncExternalStore } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { storedDrafts } from '../../lib/draft-encryption.ts';
import { areDraftsLoaded, hasDrafts, onDraftChange } from '../../lib/drafts.ts';
import { userDataClearedCount, useExpiredUserId } from '../../lib/session-end.ts';
import { useLoginState } from '../../lib/login-state.ts';
import { isGuardedPage, mayOpen, type GuardedPage } from '../../lib/page-access.ts';
import { readStoredText, writeStoredText } from '../../lib/stored-text.ts';
import { showToast } from '../../lib/toast-queue.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { FindButton } from '../find/find-button.tsx';
import { ScreenPending } from './lazy-part.tsx';
import { createPortal } from 'react-dom';
import { LogOut, PanelLeft } from '../ui/icons.tsx';
import { Sidebar, SidebarContent, SidebarFooter, SidebarMenuButton } from '../ui/sidebar.tsx';
import { screensFor } from './menu-items.ts';
import { ScreenLinks, SignedInAs } from './member-menu.tsx';

type Props = {
  /** Renders the sign-in for the user whose session has ended while there were unsaved changes. */
  signIn: (userId: number) => ReactNode;
};

/**
 * Frame of every page that needs a login, with side bar and search. When the session ends, in this tab or
 * another, the frame removes the content and redirects to /login; with unsaved changes it shows the sign-in
 * instead, and then rebuilds the screen from address and drafts. When the user changes, the guard runs again
 * and the page starts over. A user whose level no longer suffices is treated as after a 403.
 */
export function SignedInFrame({ signIn }: Props) {
  const login = useLoginState();
  const { id, isLoggedIn } = login;
  const router = useRouter();
  const { fullPath, staticData } = useMatches().at(-1) ?? {};
  const isRefused = isGuardedPage(fullPath) && !mayOpen(login, fullPath);
  const [guardedFor, setGuardedFor] = useState(id);
  const held = useExpiredUserId();
  const isOpen = useSyncExternalStore(onDraftChange, () => areDraftsLoaded(id));
  const isHeld = !isLoggedIn && held !== undefined;
  useEffect(() => {
    if (!isLoggedIn) {
      showToast(401);
      if (!isHeld) void router.navigate({ to: '/login', replace: true, state: { sessionEnded: true } });
    } else if (guardedFor !== id) {
      void router.invalidate().then(() => setGuardedFor(id));
    } else if (isRefused) {
      void router.options.context.react(new ApiError(403));
    }
  }, [guardedFor, id, isHeld, isLoggedIn, isRefused, router]);
  if (isHeld) return signIn(held);
  const isLeft = isRefused && staticData?.onForbidden === 'back';
  if (!isLoggedIn || !isOpen || guardedFor !== id || isLeft) return <ScreenPending />;
  return (
    <>
      {isGuardedPage(fullPath) && (
        <>
          <FrameSlot id="side-bar">
            <SideBar page={fullPath} />
          </FrameSlot>
          <FrameSlot id="fold">
            <FoldButton />
          </FrameSlot>
        </>
      )}
      <FrameSlot id="find">
        <FindButton />
      </FrameSlot>
      <LogoutGuard userId={id} />
      <Outlet key={userDataClearedCount()} />
    </>
  );
}

/** Asks before a logout that would discard unsaved input. */
function LogoutGuard({ userId }: { userId: number }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) =>
      next.pathname === '/logout' && (hasDrafts(userId) || storedDrafts(userId).length > 0),
    enableBeforeUnload: false,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title="저장하지 않은 내용이 있습니다"
      submitLabel="로그아웃"
      isDestructive
      returnFocusTo={null}
      onClose={blocker.reset}
      onSubmit={blocker.proceed}
    >
      로그아웃하면 이 브라우저에 임시 저장한 내용이 지워집니다.
    </ConfirmDialog>
  );
}

/** Storage key for whether the side bar is folded on this device. */
const SIDE_BAR = 'sideBar';

type FrameSlotProps = { id: 'side-bar' | 'fold' | 'find'; children: ReactNode };

const never = () => () => undefined;

/**
 * Fills an empty element of the page frame, so that the initial bundle needs no code for signed-in users.
 */
export function FrameSlot({ id, children }: FrameSlotProps) {
  const slot = useSyncExternalStore(never, () => document.getElementById(id));
  return slot && createPortal(children, slot);
}

type SideBarProps = { page: GuardedPage };

/** The side bar with every screen that the user may open, from 1024 px on. */
function SideBar({ page }: SideBarProps) {
  const login = useLoginState();
  return (
    <Sidebar id="screens" aria-label="관리 화면" lang="ko">
      <SidebarContent>
        <ScreenLinks groups={screensFor(login)} pathname={page} id="side-bar" />
      </SidebarContent>
      <SidebarFooter>
        <SignedInAs />
        <SidebarMenuButton asChild>
          <Link to="/logout">
            <LogOut />
            <span className="grow">로그아웃</span>
          </Link>
        </SidebarMenuButton>
      </SidebarFooter>
    </Sidebar>
  );
}

/** Replaces the menu button beside the side bar. before-paint.ts folds the bar before hydration. */
function FoldButton() {
  const [isFolded, setFolded] = useState(readStoredText(SIDE_BAR) === 'folded');
  const fold = () => {
    const state = isFolded ? 'open' : 'folded';
    document.documentElement.dataset['sideBar'] = state;
    writeStoredText(SIDE_BAR, state);
    setFolded(!isFolded);
  };
  return (
    <button
      type="button"
      lang="ko"
      aria-label={isFolded ? '사이드바 펼치기' : '사이드바 접기'}
      aria-controls="screens"
      aria-expanded={!isFolded}
      onClick={fold}
      className="grid size-11 place-items-center rounded-md hover:bg-sunken"
    >
      <PanelLeft size={20} />
    </button>
  );
}
