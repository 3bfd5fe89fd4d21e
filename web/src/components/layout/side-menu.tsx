import { Link } from '@tanstack/react-router';
import { useLocale } from '../../lib/locale.ts';
import { useLoginState } from '../../lib/login-state.ts';
import { m } from '../../paraglide/messages.js';
import { Sheet } from '../ui/sheet.tsx';
import { menuFor } from './menu-items.ts';

type Props = { open: boolean; pathname: string; onOpenChange: (open: boolean) => void };

const itemClass =
  'flex min-h-12 items-center rounded-md px-4 text-lg hover:bg-sunken hover:text-accent focus-visible:outline-offset-[-2px]';

export default function SideMenu({ open, pathname, onOpenChange }: Props) {
  const locale = useLocale();
  const login = useLoginState();
  const close = () => onOpenChange(false);
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title={m.menu()} closeLabel={m.menu_close()}>
      <nav aria-label={m.menu()} lang={locale} className="flex grow flex-col justify-between gap-8 p-2 pb-6">
        <ul>
          {menuFor(pathname, login).map((item) =>
            'section' in item ? (
              <li key={item.section}>
                <Link to="." hash={item.section} onClick={close} className={itemClass}>
                  {item.label()}
                </Link>
              </li>
            ) : (
              <li key={item.to}>
                <Link to={item.to} onClick={close} className={itemClass}>
                  {item.label()}
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
    </Sheet>
  );
}
