import { visibleLabPages } from '../../lib/lab-content.ts';
import type { Locale } from '../../lib/locale.ts';
import type { GuardedPage } from '../../lib/page-access.ts';
import { m } from '../../paraglide/messages.js';

/* Menu entries for everybody, separate from menu-items.ts, which visitors do not load. */

export type LabelMessage = (inputs?: Record<string, never>, options?: { locale?: Locale }) => string;

export type MainPageSection = 'title' | 'about' | 'people' | 'courses' | 'join' | 'contact';

export type MenuItem =
  | { section: MainPageSection; label: LabelMessage }
  | { to: '/' | '/login' | '/logout' | typeof PAPERS | GuardedPage; label: LabelMessage };

const PAPERS = '/{-$locale}/publications';

export const sectionItems: { section: MainPageSection; label: LabelMessage }[] = [
  { section: 'title', label: m.menu_home },
  { section: 'about', label: m.menu_about },
  { section: 'people', label: m.menu_people },
  { section: 'courses', label: m.menu_courses },
  { section: 'contact', label: m.menu_contact },
];

/** Links of the public pages: the sections of the main page, the publications, and the open positions. */
export function publicPageItems(): MenuItem[] {
  const { publications, join } = visibleLabPages();
  return [
    ...sectionItems.slice(1, 3),
    ...(publications ? [{ to: PAPERS, label: m.publications } as const] : []),
    ...sectionItems.slice(3, 4),
    ...(join ? [{ section: 'join', label: m.menu_join } as const] : []),
    ...sectionItems.slice(4),
  ];
}

export const homeItem: MenuItem = { to: '/', label: m.menu_home };
const login: MenuItem = { to: '/login', label: m.menu_login };

export function isMainPage(pathname: string): boolean {
  return /^\/(?:(?:ko|en)\/?)?$/.test(pathname);
}

export function visitorMenu(pathname: string): MenuItem[] {
  if (pathname === '/login') return [homeItem];
  if (isMainPage(pathname)) return [...sectionItems.slice(0, 1), ...publicPageItems(), login];
  return [homeItem, ...(/\/(pub|news|proj)/.test(pathname) ? publicPageItems() : []), login];
}
