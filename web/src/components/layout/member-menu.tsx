import type { LoginState } from '../../lib/login-state.ts';
import { drawerMenu } from './menu-items.ts';
import { MenuList } from './menu-list.tsx';
import { ScreenLinks, SignedInAs } from './screen-links.tsx';

type Props = { pathname: string; login: LoginState; isOpen: boolean; onChoose: () => void };

/** The menu of a signed-in user. The numbers of pending items are requested when the menu opens. */
export function MemberMenu({ pathname, login, isOpen, onChoose }: Props) {
  const { before, screens, after } = drawerMenu(pathname, login);
  return (
    <>
      <div className="space-y-3">
        <MenuList items={before} onChoose={onChoose} />
        <ScreenLinks
          groups={screens}
          pathname={pathname}
          id="drawer"
          isCounted={isOpen}
          onChoose={onChoose}
        />
      </div>
      <div className="border-t border-line pt-4">
        <SignedInAs />
        <MenuList items={after} onChoose={onChoose} />
      </div>
    </>
  );
}
