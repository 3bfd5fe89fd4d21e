import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { labContent } from '../../lib/lab-content.ts';
import { localeOfPath, pathIn, rememberLocale, useLocale, type Locale } from '../../lib/locale.ts';
import { m } from '../../paraglide/messages.js';
import { lazyPart } from './lazy-part.tsx';

const loadSideMenu = () => import('./side-menu.tsx');
const SideMenu = lazyPart(async () => (await loadSideMenu()).default, {
  crashClassName: 'absolute inset-x-0 top-full border-b border-line bg-paper p-4',
});
const fetchMenuAhead = () => void loadSideMenu().catch(() => undefined);

export function TopBar({ pathname }: { pathname: string }) {
  const locale = useLocale();
  const toggle = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isMenuWanted, setIsMenuWanted] = useState(false);
  return (
    <header className="fixed inset-x-0 top-0 z-30 flex h-(--bar-height) items-center gap-1 border-b border-line bg-paper px-2 sm:px-4">
      <button
        ref={toggle}
        type="button"
        aria-label={m.menu_open()}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={fetchMenuAhead}
        onFocus={fetchMenuAhead}
        onClick={() => {
          setIsMenuWanted(true);
          setIsOpen(true);
        }}
        className="grid size-11 place-items-center rounded-md hover:bg-sunken noscript:hidden"
      >
        <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden fill="none" stroke="currentColor">
          <path d="M3 6.5h16M3 11h16M3 15.5h10" strokeWidth="1.6" strokeLinecap="round" />
        </svg>
      </button>
      <Link to="/" className="min-w-0 px-2 py-1 leading-tight font-semibold tracking-tight hover:text-accent">
        {labContent(locale).name}
      </Link>
      <div id="find" className="ml-auto shrink-0" />
      <fieldset aria-label={m.language()} className="flex shrink-0">
        <LocaleButton locale="ko" current={locale} pathname={pathname} />
        <LocaleButton locale="en" current={locale} pathname={pathname} />
        <LocaleLink locale="ko" />
        <LocaleLink locale="en" />
      </fieldset>
      {isMenuWanted && (
        <SideMenu
          open={isOpen}
          pathname={pathname}
          onOpenChange={setIsOpen}
          onDismissed={() => toggle.current?.focus()}
        />
      )}
    </header>
  );
}

const localeNames = { ko: '한국어', en: 'English' } as const;

function LocaleButton({ locale, current, pathname }: { locale: Locale; current: Locale; pathname: string }) {
  const navigate = useNavigate();
  const choose = () => {
    rememberLocale(locale);
    // An address that implies a language cannot stay when the other one is chosen.
    const ofPath = localeOfPath(pathname);
    if (ofPath !== undefined && ofPath !== locale) {
      void navigate({ to: pathIn(locale, pathname), hash: true, replace: true, resetScroll: false });
    }
  };
  return (
    <button
      type="button"
      lang={locale}
      title={localeNames[locale]}
      aria-pressed={locale === current}
      onClick={choose}
      className="min-h-11 min-w-11 rounded-md text-sm font-semibold text-ink-soft hover:text-ink noscript:hidden aria-pressed:text-accent aria-pressed:underline aria-pressed:decoration-2 aria-pressed:underline-offset-8"
    >
      {locale.toUpperCase()}
    </button>
  );
}

/** Without JavaScript, each language is a link. */
function LocaleLink({ locale }: { locale: Locale }) {
  return (
    <a
      href={`/${locale}`}
      lang={locale}
      hrefLang={locale}
      className="hidden min-h-11 min-w-11 place-items-center text-sm font-semibold text-ink-soft hover:text-ink noscript:grid"
    >
      {locale.toUpperCase()}
    </a>
  );
}
