import { Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { isStaffScreen, useLocale } from '../../lib/locale.ts';
import { useToasts } from '../../lib/toast-queue.ts';
import { m } from '../../paraglide/messages.js';
import { lazyPart } from './lazy-part.tsx';
import { MenuList } from './menu-list.tsx';
import { TopBar } from './top-bar.tsx';
import { publicPageItems } from './visitor-menu.ts';
import { useLab } from '../../lib/lab-content.ts';
import { DocumentLink } from '../document-link.tsx';

const Toaster = lazyPart(async () => (await import('../ui/toast.tsx')).Toaster, {
  crashClassName: 'fixed inset-x-0 bottom-0 bg-paper p-4',
});

/** Top bar, main part and toasts of every page, and an empty place for the side bar (see FrameSlot). */
export function PageFrame({ children }: { children?: ReactNode }) {
  useLocale();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const main = useRef<HTMLElement>(null);
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
        // Moves the focus, so that screen readers and keyboard users start at the beginning of the new page.
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
      <div id="side-bar" data-on={isStaffScreen(pathname) || undefined} />
      <main id="main" ref={main} tabIndex={-1} className="min-h-dvh pt-20 outline-none print:pt-0">
        {children ?? <Outlet />}
      </main>
      {!isStaffScreen(pathname) && <PageFooter />}
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

const linkClass = 'inline-flex min-h-8 items-center underline-offset-4 hover:text-accent hover:underline';

function PageFooter() {
  const lab = useLab();
  return (
    <footer className="page-column mt-(--section-gap)">
      <div className="flex flex-wrap items-baseline justify-between gap-x-8 gap-y-2 border-t border-line py-8 text-sm text-ink-soft">
        <p>
          {lab.name}, {lab.affiliation}
        </p>
        <MenuList items={publicPageItems()} />
        <p className="flex flex-wrap gap-x-6">
          <DocumentLink name="accessibility" className={linkClass}>
            {m.footer_accessibility()}
          </DocumentLink>
          <DocumentLink name="privacy" className={`${linkClass} font-semibold`}>
            {m.footer_privacy()}
          </DocumentLink>
        </p>
      </div>
    </footer>
  );
}
