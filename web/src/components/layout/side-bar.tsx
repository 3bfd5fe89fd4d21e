import { Link } from '@tanstack/react-router';
import { useLoginState } from '../../lib/login-state.ts';
import type { GuardedPage } from '../../lib/page-access.ts';
import {
  Sidebar,
  SidebarContent,
  SidebarFooter,
  SidebarGroup,
  SidebarGroupLabel,
  SidebarMenu,
  SidebarMenuButton,
  SidebarMenuItem,
  SidebarMenuSub,
} from '../ui/sidebar.tsx';
import { AwaitingBadge } from './awaiting-badge.tsx';
import { sideBarFor, type Screen } from './menu-items.ts';

type Props = { page: GuardedPage };

/** Every screen that the user may open, from 1024 px on. Always in Korean, as the screens are. */
export function SideBar({ page }: Props) {
  const login = useLoginState();
  return (
    <Sidebar aria-label="관리 화면" lang="ko">
      <SidebarContent>
        {sideBarFor(login).map(({ name, title, items }) => (
          <SidebarGroup key={name}>
            {title && <SidebarGroupLabel id={`side-bar-${name}`}>{title}</SidebarGroupLabel>}
            <SidebarMenu aria-labelledby={title && `side-bar-${name}`}>
              {items.map((item) => (
                <SidebarMenuItem key={item.to}>
                  <ScreenLink screen={item} page={page} />
                  {item.beneath && (
                    <SidebarMenuSub>
                      <SidebarMenuItem>
                        <ScreenLink screen={item.beneath} page={page} />
                      </SidebarMenuItem>
                    </SidebarMenuSub>
                  )}
                </SidebarMenuItem>
              ))}
            </SidebarMenu>
          </SidebarGroup>
        ))}
      </SidebarContent>
      <SidebarFooter>
        <p className="truncate px-3 text-sm text-ink-soft" title={login.email}>
          {login.name}
        </p>
        <SidebarMenuButton asChild>
          <Link to="/logout">로그아웃</Link>
        </SidebarMenuButton>
      </SidebarFooter>
    </Sidebar>
  );
}

function ScreenLink({ screen: { to, label }, page }: { screen: Screen; page: GuardedPage }) {
  const isActive = to === page;
  return (
    <SidebarMenuButton asChild isActive={isActive}>
      <Link to={to} aria-current={isActive ? 'page' : undefined}>
        {label({}, { locale: 'ko' })}
        <AwaitingBadge page={to} />
      </Link>
    </SidebarMenuButton>
  );
}
