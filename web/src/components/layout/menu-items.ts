import type { LoginState } from '../../lib/login-state.ts';
import { mayOpen, type GuardedPage } from '../../lib/page-access.ts';
import { m } from '../../paraglide/messages.js';
import {
  Activity,
  BookOpen,
  CircleUserRound,
  ClipboardCheck,
  Globe,
  GraduationCap,
  List,
  Settings,
  Sprout,
  Users,
  Wallet,
  type Icon,
} from '../ui/icons.tsx';
import {
  publicPageItems,
  homeItem,
  isMainPage,
  sectionItems,
  visitorMenu,
  type LabelMessage,
  type MenuItem,
} from './visitor-menu.ts';

type Group = 'normal' | 'plants' | 'operations';
export type MenuScreen = {
  to: GuardedPage;
  label: LabelMessage;
  icon: Icon;
  /** Additional search words, separated by commas. */
  holds?: string;
  /** A screen that the user reaches from this screen. */
  beneath?: MenuScreen;
};

/** The groups of the settings page and the side bar. */
export const menuGroups: { name: Group; title: string }[] = [
  { name: 'normal', title: '관리' },
  { name: 'plants', title: '화분' },
  { name: 'operations', title: '운영' },
];

/**
 * The management area, one entry per screen. The subject list is linked from the courses, so it is nested
 * under them. Labels without a message are shown in the management area only, which is in Korean.
 */
const managementItems: (MenuScreen & { group: Group })[] = [
  {
    to: '/manage_user_info',
    label: m.menu_manage_user_info,
    icon: CircleUserRound,
    group: 'normal',
    holds: '로그인한 기기,학번',
  },
  {
    to: '/manage_users',
    label: m.menu_manage_users,
    icon: Users,
    group: 'normal',
    holds: '역할,접속 기록,월별 점검',
  },
  {
    to: '/manage_students',
    label: m.menu_manage_students,
    icon: GraduationCap,
    group: 'normal',
    holds: '명단,사진,출석부',
  },
  {
    to: '/manage_courses',
    label: m.menu_manage_courses,
    icon: BookOpen,
    group: 'normal',
    beneath: { to: '/manage_subjects_list', label: () => '과목 목록', icon: List, holds: '시간표' },
  },
  {
    to: '/manage_account',
    label: m.menu_manage_account,
    icon: Wallet,
    group: 'normal',
    holds: '회비,영수증,통계,결산',
  },
  {
    to: '/manage_scores',
    label: m.menu_manage_scores,
    icon: ClipboardCheck,
    group: 'normal',
    holds: '학점,성적표',
  },
  { to: '/manage_plants', label: m.menu_manage_plants, icon: Sprout, group: 'plants' },
  {
    to: '/manage_content',
    label: () => '홈페이지 내용',
    icon: Globe,
    group: 'operations',
    holds: '소개,구성원,소식,논문,모집',
  },
  {
    to: '/manage_health',
    label: () => '시스템 상태',
    icon: Activity,
    group: 'operations',
    holds: '백업,브리지',
  },
];

const settings: MenuScreen = { to: '/settings', label: m.menu_settings, icon: Settings };

/** The entries of a group that a user may open. */
export function menuItemsOf(group: Group, login: LoginState): MenuScreen[] {
  return managementItems.filter((item) => item.group === group && mayOpen(login, item.to));
}

export type ScreenGroup = { name: string; title?: string; items: MenuScreen[] };

/** Every screen that a user may open, in groups, for the side bar, the drawer and the search. */
export function screensFor(login: LoginState): ScreenGroup[] {
  const groups = menuGroups.map(({ name, title }) => ({ name, title, items: menuItemsOf(name, login) }));
  return [{ name: 'settings', items: [settings] }, ...groups].filter(({ items }) => items.length > 0);
}

/** The drawer's content for the current user: on the main page its sections, elsewhere the screens. */
export function drawerMenu(
  pathname: string,
  login: LoginState,
): { before: MenuItem[]; screens: ScreenGroup[]; after: MenuItem[] } {
  if (!login.isLoggedIn || pathname === '/login') {
    return { before: visitorMenu(pathname), screens: [], after: [] };
  }
  const after: MenuItem[] = [{ to: '/logout', label: m.menu_logout }];
  if (isMainPage(pathname))
    return { before: [...sectionItems.slice(0, 1), ...publicPageItems(), settings], screens: [], after };
  const screens = screensFor(login).filter(({ name }) => name !== 'settings' || pathname !== '/settings');
  return { before: [homeItem], screens, after };
}
