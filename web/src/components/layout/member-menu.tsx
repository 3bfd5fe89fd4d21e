import type { LoginState } from '../../lib/login-state.ts';
import { isGuardedPage } from '../../lib/page-access.ts';
import { AwaitingBadge } from './awaiting-badge.tsx';
import { menuFor } from './menu-items.ts';
import { MenuList } from './menu-list.tsx';

type Props = { pathname: string; login: LoginState; isOpen: boolean; onChoose: () => void };

/** What the menu holds for somebody signed in. What awaits them is asked for when it opens. */
export function MemberMenu({ pathname, login, isOpen, onChoose }: Props) {
  const markOf = (to: string) => isOpen && isGuardedPage(to) && <AwaitingBadge page={to} />;
  return (
    <>
      <MenuList items={menuFor(pathname, login)} markOf={markOf} onChoose={onChoose} />
      <p className="border-t border-line px-4 pt-4 text-sm text-ink-soft">
        <span className="block font-semibold text-ink">{login.name}</span>
        {login.email}
      </p>
    </>
  );
}
