import { useEffect, useRef, useState } from 'react';
import { useLocale } from '../../lib/locale.ts';
import { useLoginState } from '../../lib/login-state.ts';
import { m } from '../../paraglide/messages.js';
import { lazyPart } from './lazy-part.tsx';
import { MenuList } from './menu-list.tsx';
import { visitorMenu } from './visitor-menu.ts';

export const MENU = 'menu';

/** Members alone load what they may open. */
const MemberMenu = lazyPart(async () => (await import('./member-menu.tsx')).MemberMenu, {
  crashClassName: 'px-4 py-4',
});

/**
 * A native dialog, which the menu button opens by itself before the app is awake, and without a connection. Where the
 * browser does not know `command` and `closedby`, clicks do the same.
 */
export function Menu({ pathname }: { pathname: string }) {
  useLocale();
  const login = useLoginState();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const close = () => dialog.current?.close();
  // Opened before the app was there, which then drew the page anew (main.tsx).
  useEffect(() => {
    const root = document.getElementById('root');
    if (root?.dataset['menu'] !== 'open') return;
    delete root.dataset['menu'];
    dialog.current?.showModal();
  }, []);
  return (
    // Escape closes it for whoever has no pointer.
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
            <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden fill="none" stroke="currentColor">
              <path d="M4.5 4.5l11 11m0-11l-11 11" strokeWidth="1.6" strokeLinecap="round" />
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
