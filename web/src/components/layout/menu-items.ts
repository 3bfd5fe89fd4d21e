import { localeOfPath, type Locale } from '../../lib/locale.ts';
import type { LoginState } from '../../lib/login-state.ts';
import { mayOpen, type GuardedPage } from '../../lib/page-access.ts';
import { m } from '../../paraglide/messages.js';

type Label = (inputs?: Record<string, never>, options?: { locale?: Locale }) => string;

const SECTIONS = ['title', 'about', 'people', 'courses', 'contact'] as const;
export type Section = (typeof SECTIONS)[number];

type MenuItem =
  { section: Section; label: Label } | { to: '/' | '/login' | '/logout' | GuardedPage; label: Label };

const sectionItems: MenuItem[] = [
  { section: 'title', label: m.menu_home },
  { section: 'about', label: m.menu_about },
  { section: 'people', label: m.menu_people },
  { section: 'courses', label: m.menu_courses },
  { section: 'contact', label: m.menu_contact },
];

type ManagementItem = { to: GuardedPage; label: Label; group: 'normal' | 'plants' | 'operations' };

/**
 * The management area, one entry per screen. The subject list is linked from the courses, and the other groups appear
 * only on the settings page.
 */
export const managementItems: ManagementItem[] = [
  { to: '/manage_user_info', label: m.menu_manage_user_info, group: 'normal' },
  { to: '/manage_users', label: m.menu_manage_users, group: 'normal' },
  { to: '/manage_students', label: m.menu_manage_students, group: 'normal' },
  { to: '/manage_courses', label: m.menu_manage_courses, group: 'normal' },
  { to: '/manage_account', label: m.menu_manage_account, group: 'normal' },
  { to: '/manage_scores', label: m.menu_manage_scores, group: 'normal' },
  { to: '/manage_plants', label: m.menu_manage_plants, group: 'plants' },
  // Only shown in the management area, which is in Korean.
  { to: '/manage_health', label: () => '시스템 상태', group: 'operations' },
];

const home: MenuItem = { to: '/', label: m.menu_home };
const settings: MenuItem = { to: '/settings', label: m.menu_settings };

function isMainPage(pathname: string): boolean {
  return pathname === '/' || localeOfPath(pathname) !== undefined;
}

/** The side menu's entries on a page, for the current user. */
export function menuFor(pathname: string, login: LoginState): MenuItem[] {
  if (pathname === '/login') return [home];
  const inOrOut: MenuItem = login.isLoggedIn
    ? { to: '/logout', label: m.menu_logout }
    : { to: '/login', label: m.menu_login };
  const toSettings = login.isLoggedIn && pathname !== '/settings' ? [settings] : [];
  if (isMainPage(pathname)) return [...sectionItems, ...toSettings, inOrOut];
  const management = managementItems.filter(({ to, group }) => group === 'normal' && mayOpen(login, to));
  return [home, ...management, ...toSettings, inOrOut];
}
