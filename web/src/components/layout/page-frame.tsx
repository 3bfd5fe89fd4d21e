import { Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useLocale } from '../../lib/locale.ts';
import { useLoginState } from '../../lib/login-state.ts';
import { isGuardedPage, mayOpen } from '../../lib/page-access.ts';
import { useToasts } from '../../lib/toasts.ts';
import { m } from '../../paraglide/messages.js';
import { lazyPart } from './lazy-part.tsx';
import { TopBar } from './top-bar.tsx';

const Toaster = lazyPart(async () => (await import('../ui/toaster.tsx')).Toaster, {
  crashClassName: 'fixed inset-x-0 bottom-0 bg-paper p-4',
});

const SideBar = lazyPart(async () => (await import('./side-bar.tsx')).SideBar, { crashClassName: 'hidden' });

/** Top bar, side bar of the management screens, main part and toasts of every page. */
export function PageFrame() {
  useLocale();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const login = useLoginState();
  // Of the page that is shown, not of the one that is on its way.
  const page = useRouterState({ select: (state) => state.matches.at(-1)?.fullPath });
  const hasSideBar = isGuardedPage(page) && mayOpen(login, page);
  const main = useRef<HTMLElement>(null);
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
        // Screen readers and keyboard users start at the beginning of the new page.
        if (fromLocation && pathChanged) main.current?.focus({ preventScroll: true });
      }),
    [router],
  );
  return (
    <>
      <a
        href="#main"
        className="sr-only rounded-md bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
      >
        {m.skip_to_content()}
      </a>
      <TopBar pathname={pathname} />
      {hasSideBar && <SideBar page={page} />}
      <main
        id="main"
        ref={main}
        tabIndex={-1}
        // Its place is kept while the bar is loading.
        className={`min-h-dvh pt-20 outline-none ${hasSideBar ? 'beside-bar' : ''}`}
      >
        <Outlet />
      </main>
      <Toasts />
    </>
  );
}

/** The toaster's code is loaded with the first toast. */
function Toasts() {
  const toasts = useToasts();
  const [isNeeded, setIsNeeded] = useState(false);
  if (toasts.length > 0 && !isNeeded) setIsNeeded(true);
  return isNeeded && <Toaster toasts={toasts} />;
}
