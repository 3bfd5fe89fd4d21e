import { roleNames } from '#contract/access-levels';
import { Link } from '@tanstack/react-router';
import { type LoginState, useLoginState } from '../../lib/login-state.ts';
import { drawerMenu, type MenuScreen, type ScreenGroup } from './menu-items.ts';
import { MenuList } from './menu-list.tsx';
import { isGuardedPage, type GuardedPage } from '../../lib/page-access.ts';
import {
  SidebarGroup,
  SidebarGroupLabel,
  SidebarMenu,
  SidebarMenuButton,
  SidebarMenuItem,
  SidebarMenuSub,
} from '../ui/sidebar.tsx';
import { useAwaitingOn } from '../../lib/awaiting.ts';

type ScreenLinksProps = {
  groups: ScreenGroup[];
  pathname: string;
  /** A prefix that keeps the element ids of two lists on one page unique. */
  id: string;
  isCounted?: boolean;
  onChoose?: () => void;
};

/** The links of the side bar and the drawer, with numbers of pending items; in Korean, like the screens. */
export function ScreenLinks({ groups, id, ...rest }: ScreenLinksProps) {
  return groups.map(({ name, title, items }) => (
    <SidebarGroup key={name} lang="ko">
      {title && <SidebarGroupLabel id={`${id}-${name}`}>{title}</SidebarGroupLabel>}
      <SidebarMenu aria-labelledby={title && `${id}-${name}`}>
        {items.map((item) => (
          <SidebarMenuItem key={item.to}>
            <ScreenLink screen={item} {...rest} />
            {item.beneath && (
              <SidebarMenuSub>
                <SidebarMenuItem>
                  <ScreenLink screen={item.beneath} {...rest} />
                </SidebarMenuItem>
              </SidebarMenuSub>
            )}
          </SidebarMenuItem>
        ))}
      </SidebarMenu>
    </SidebarGroup>
  ));
}

type LinkProps = Omit<ScreenLinksProps, 'groups' | 'id'> & { screen: MenuScreen };

function ScreenLink({ screen: { to, label, icon: Icon }, pathname, isCounted = true, onChoose }: LinkProps) {
  const isActive = to === pathname;
  return (
    <SidebarMenuButton asChild isActive={isActive}>
      <Link to={to} aria-current={isActive ? 'page' : undefined} onClick={onChoose}>
        <Icon />
        <span className="grow">{label({}, { locale: 'ko' })}</span>
        {isCounted && isGuardedPage(to) && <AwaitingBadge page={to} />}
      </Link>
    </SidebarMenuButton>
  );
}

/** The signed-in user, at the bottom of the side bar and the drawer. */
export function SignedInAs() {
  const { name, email, secureLevel } = useLoginState();
  const role = Object.entries(roleNames).find(([level]) => Number(level) === secureLevel)?.[1];
  return (
    <p className="min-w-0 px-3 text-sm leading-snug" title={email}>
      <span className="block truncate font-semibold text-ink">{name}</span>
      <span className="block truncate text-ink-soft">{role ?? email}</span>
    </p>
  );
}

/** The number of pending items, beside the screen's name. Screen readers announce what is counted. */
function AwaitingBadge({ page }: { page: GuardedPage }) {
  const waiting = useAwaitingOn(page);
  if (!waiting) return null;
  return (
    <span
      lang="ko"
      title={waiting.words}
      data-slot="awaiting"
      className="rounded-sm bg-notice-wash px-1.5 py-0.5 text-xs leading-normal font-semibold text-notice tabular-nums"
    >
      <span aria-hidden>{waiting.count > 99 ? '99+' : waiting.count}</span>
      <span className="sr-only">{waiting.words}</span>
    </span>
  );
}

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
