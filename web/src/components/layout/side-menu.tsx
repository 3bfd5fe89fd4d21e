import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useLocale } from '../../lib/locale.ts';
import { useLoginState } from '../../lib/login-state.ts';
import { isGuardedPage } from '../../lib/page-access.ts';
import { m } from '../../paraglide/messages.js';
import { Sheet, SheetClose, SheetContent, SheetHeader, SheetTitle } from '../ui/sheet.tsx';
import { AwaitingBadge } from './awaiting-badge.tsx';
import { menuFor, type Section } from './menu-items.ts';

type Props = {
  open: boolean;
  pathname: string;
  onOpenChange: (open: boolean) => void;
  /** Called when the menu was closed without a choice. */
  onDismissed: () => void;
};

const itemClass =
  'flex min-h-12 items-center rounded-md px-4 text-lg hover:bg-sunken hover:text-accent focus-visible:outline-offset-[-2px]';

export default function SideMenu({ open, pathname, onOpenChange, onDismissed }: Props) {
  const locale = useLocale();
  const login = useLoginState();
  const choice = useRef<Section | 'page'>(null);
  const choose = (chosen: Section | 'page') => {
    choice.current = chosen;
    onOpenChange(false);
  };
  const moveFocus = () => {
    if (choice.current === null) onDismissed();
    else if (choice.current !== 'page') goToSection(choice.current);
    choice.current = null;
  };
  return (
    <Sheet open={open} onOpenChange={onOpenChange}>
      <SheetContent
        aria-describedby={undefined}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          moveFocus();
        }}
      >
        <SheetHeader>
          <SheetTitle>{m.menu()}</SheetTitle>
          <SheetClose
            aria-label={m.menu_close()}
            className="grid size-11 place-items-center rounded-md hover:bg-sunken"
          >
            <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden fill="none" stroke="currentColor">
              <path d="M4.5 4.5l11 11m0-11l-11 11" strokeWidth="1.6" strokeLinecap="round" />
            </svg>
          </SheetClose>
        </SheetHeader>
        <nav
          aria-label={m.menu()}
          lang={locale}
          className="flex grow flex-col justify-between gap-8 p-2 pb-6"
        >
          <ul>
            {menuFor(pathname, login).map((item) =>
              'section' in item ? (
                <li key={item.section}>
                  <Link to="." hash={item.section} onClick={() => choose(item.section)} className={itemClass}>
                    {item.label()}
                  </Link>
                </li>
              ) : (
                <li key={item.to}>
                  <Link to={item.to} onClick={() => choose('page')} className={itemClass}>
                    {item.label()}
                    {isGuardedPage(item.to) && <AwaitingBadge page={item.to} />}
                  </Link>
                </li>
              ),
            )}
          </ul>
          {login.isLoggedIn && (
            <p className="border-t border-line px-4 pt-4 text-sm text-ink-soft">
              <span className="block font-semibold text-ink">{login.name}</span>
              {login.email}
            </p>
          )}
        </nav>
      </SheetContent>
    </Sheet>
  );
}

/** The router scrolls only when the address changes; this also works when the address already names the section. */
function goToSection(id: Section): void {
  const section = document.getElementById(id);
  section?.scrollIntoView();
  section?.focus({ preventScroll: true });
}
