import { Link, useLinkProps, useRouter } from '@tanstack/react-router';
import { useState, type MouseEvent, useEffect, useRef } from 'react';
import { useLab } from '../../lib/lab-content.ts';
import {
  localizedPathIfAny,
  isStaffScreen,
  rememberLocale,
  useHome,
  useLocale,
  type Locale,
} from '../../lib/locale.ts';
import { untilIdle } from '../../lib/until-idle.ts';
import { m } from '../../paraglide/messages.js';
import { useLoginState } from '../../lib/login-state.ts';
import { lazyPart } from './lazy-part.tsx';
import { MenuList } from './menu-list.tsx';
import { publicPageItems, visitorMenu } from './visitor-menu.ts';

declare module 'react' {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface ButtonHTMLAttributes<T> {
    command?: 'show-modal' | 'close';
    commandfor?: string;
  }
}

export function TopBar({ pathname }: { pathname: string }) {
  const locale = useLocale();
  const { isLoggedIn } = useLoginState();
  // The lab's name is a link home; it must not be marked as the current page on the main page.
  const { 'aria-current': _, ...home } = useLinkProps({ to: useHome() });
  return (
    <>
      <header className="top-bar">
        <div id="fold" />
        <button
          type="button"
          command="show-modal"
          commandfor={MENU}
          aria-label={m.menu_open()}
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => {
            if ('commandForElement' in currentTarget) return;
            const menu = document.getElementById(MENU);
            if (menu instanceof HTMLDialogElement) menu.showModal();
          }}
          className="grid size-11 shrink-0 place-items-center rounded-md hover:bg-sunken"
        >
          <svg width="22" height="22" viewBox="0 0 24 24" aria-hidden fill="none" stroke="currentColor">
            <path d="M4 5h16M4 12h16M4 19h16" strokeWidth="1.75" strokeLinecap="round" />
          </svg>
        </button>
        <a {...home}>{useLab().name}</a>
        {!isStaffScreen(pathname) && (
          <nav aria-label={m.menu_sections()}>
            <MenuList items={publicPageItems()} />
          </nav>
        )}
        <div id="find" className="ml-auto shrink-0" />
        {!isStaffScreen(pathname) && isLoggedIn && (
          <Link to="/settings" className="grid min-h-11 shrink-0 place-items-center">
            {m.menu_settings()}
          </Link>
        )}
        {!isStaffScreen(pathname) && (
          <nav aria-label={m.language()}>
            <LocaleLink locale="ko" current={locale} pathname={pathname} />
            <LocaleLink locale="en" current={locale} pathname={pathname} />
          </nav>
        )}
      </header>
      <Menu pathname={pathname} />
    </>
  );
}

type Props = { locale: Locale; current: Locale; pathname: string };

/** A link to the page in another language. Before hydration it is a plain link; later it needs no reload. */
function LocaleLink({ locale, current, pathname }: Props) {
  const router = useRouter();
  const [isLoading, setIsLoading] = useState(false);
  const address = localizedPathIfAny(locale, pathname);
  const choose = async (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (address === '' || locale === current) {
      rememberLocale(locale);
      return;
    }
    setIsLoading(true);
    // Preloads the page's data and code first, so that the whole page changes at the same moment.
    const matches = await router.preloadRoute({ to: address });
    // Waits until the static parts are hydrated in the language in which they were prerendered.
    await untilIdle();
    setIsLoading(false);
    if (!matches || matches.some(({ status }) => status === 'error')) {
      // The code for toasts may have failed to load as well.
      dispatchEvent(new Event('unreachable'));
      return;
    }
    rememberLocale(locale);
    await router.navigate({
      to: address,
      hash: true,
      replace: true,
      hashScrollIntoView: false,
      resetScroll: false,
    });
  };
  return (
    <a
      href={address}
      lang={locale}
      hrefLang={locale}
      aria-current={locale === current || undefined}
      aria-busy={isLoading || undefined}
      onClick={(event) => void choose(event)}
    >
      {locale.toUpperCase()}
    </a>
  );
}

const MENU = 'menu';

/** Only members load the code for the screens they may open. */
const MemberMenu = lazyPart(async () => (await import('./member-menu.tsx')).MemberMenu, {
  crashClassName: 'px-4 py-4',
});

/**
 * A native dialog, which the menu button opens without JavaScript before hydration or without a connection.
 * Where the browser does not support `command` and `closedby`, click handlers do the same.
 */
export function Menu({ pathname }: { pathname: string }) {
  useLocale();
  const login = useLoginState();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const close = () => dialog.current?.close();
  // A menu that was open before the app rendered the page again (main.tsx) is opened again.
  useEffect(() => {
    const root = document.getElementById('root');
    if (root?.dataset['menu'] !== 'open') return;
    delete root.dataset['menu'];
    dialog.current?.showModal();
  }, []);
  return (
    // Keyboard users close the menu with Escape.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      id={MENU}
      closedby="any"
      aria-label={m.menu()}
      onToggle={({ newState }) => setIsOpen(newState === 'open')}
      onClick={({ target }) => {
        if (target === dialog.current) close();
      }}
    >
      <div>
        <div>
          <p aria-hidden>{m.menu()}</p>
          <button
            type="button"
            command="close"
            commandfor={MENU}
            aria-label={m.menu_close()}
            onClick={close}
            className="grid size-11 place-items-center rounded-md hover:bg-sunken"
          >
            <svg width="20" height="20" viewBox="0 0 24 24" aria-hidden fill="none" stroke="currentColor">
              <path d="M18 6 6 18M6 6l12 12" strokeWidth="1.75" strokeLinecap="round" />
            </svg>
          </button>
        </div>
        <nav aria-label={m.menu()}>
          {login.isLoggedIn ? (
            <MemberMenu pathname={pathname} login={login} isOpen={isOpen} onChoose={close} />
          ) : (
            <MenuList items={visitorMenu(pathname)} onChoose={close} />
          )}
        </nav>
      </div>
    </dialog>
  );
}
