import { useLinkProps, useRouter } from '@tanstack/react-router';
import { useState, type MouseEvent } from 'react';
import { labContent } from '../../lib/lab-content.ts';
import { addressIn, rememberLocale, useHome, useLocale, type Locale } from '../../lib/locale.ts';
import { untilIdle } from '../../lib/until-idle.ts';
import { m } from '../../paraglide/messages.js';
import { Menu, MENU } from './menu.tsx';

declare module 'react' {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface ButtonHTMLAttributes<T> {
    command?: 'show-modal' | 'close';
    commandfor?: string;
  }
}

export function TopBar({ pathname }: { pathname: string }) {
  const locale = useLocale();
  // The lab's name leads somewhere; on the main page it is no mark of where one is.
  const { 'aria-current': _, ...home } = useLinkProps({ to: useHome() });
  return (
    <>
      <header className="top-bar">
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
          <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden fill="none" stroke="currentColor">
            <path d="M3 6.5h16M3 11h16M3 15.5h10" strokeWidth="1.6" strokeLinecap="round" />
          </svg>
        </button>
        <a {...home}>{labContent(locale).name}</a>
        <div id="find" className="ml-auto shrink-0" />
        <nav aria-label={m.language()} className="flex shrink-0">
          <LocaleLink locale="ko" current={locale} pathname={pathname} />
          <LocaleLink locale="en" current={locale} pathname={pathname} />
        </nav>
      </header>
      <Menu pathname={pathname} />
    </>
  );
}

type Props = { locale: Locale; current: Locale; pathname: string };

/** Leads to the page in a language: by itself before the app is awake (before-paint.ts), then without a reload. */
function LocaleLink({ locale, current, pathname }: Props) {
  const router = useRouter();
  const [isLoading, setIsLoading] = useState(false);
  const address = addressIn(locale, pathname);
  const choose = async (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (address === '' || locale === current) {
      rememberLocale(locale);
      return;
    }
    setIsLoading(true);
    // What it shows comes first, so that the page changes at once.
    const matches = await router.preloadRoute({ to: address });
    // What is drawn wakes first, in the language in which it is drawn.
    await untilIdle();
    setIsLoading(false);
    if (!matches || matches.some(({ status }) => status === 'error')) {
      // Toasts may not have come either.
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
