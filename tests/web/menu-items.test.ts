import { ACCOUNT_MANAGER, hasAccess, LEVELS } from '#contract/access-levels';
import { describe, expect, test } from 'vitest';
import { drawerMenu, screensFor } from '../../web/src/components/layout/menu-items.ts';
import type { LabelMessage } from '../../web/src/components/layout/visitor-menu.ts';
import { anonymous, type LoginState } from '../../web/src/lib/login-state.ts';
import { isGuardedPage, mayOpen, pageAccess, type GuardedPage } from '../../web/src/lib/page-access.ts';

const userOfLevel = (secureLevel: number): LoginState => ({
  id: 1,
  isLoggedIn: true,
  email: 'someone@lab.test',
  name: '누군가',
  univId: '20100001',
  secureLevel,
});

const textOf = ({ label }: { label: LabelMessage }) => label({}, { locale: 'ko' });
const labels = (pathname: string, login: LoginState) => {
  const { before, screens, after } = drawerMenu(pathname, login);
  const between = screens.flatMap(({ items }) =>
    items.flatMap((item) => (item.beneath ? [item, item.beneath] : [item])),
  );
  return [...before, ...between, ...after].map(textOf);
};

describe('the side menu', () => {
  // The laboratory of this repository has papers, and seeks students.
  const content = ['소개', '구성원', '논문', '강의', '모집', '연락처'];

  test.each(['/', '/ko', '/en'])('NAV-1 has the section links on the main page at %s', (pathname) => {
    expect(labels(pathname, anonymous)).toEqual(['홈', ...content, '로그인']);
  });

  test('NAV-1 has Home alone on the login page', () => {
    expect(labels('/login', anonymous)).toEqual(['홈']);
    expect(labels('/login', userOfLevel(1))).toEqual(['홈']);
  });

  test('NAV-2 has Logout and Settings for a user, and no Settings on settings', () => {
    expect(labels('/', userOfLevel(10))).toEqual(['홈', ...content, '설정', '로그아웃']);
    expect(labels('/settings', userOfLevel(10))).toEqual(['홈', '내 정보', '로그아웃']);
  });

  test('NAV-1 has what settings has on other pages for a user, and Home and Login for a visitor', () => {
    expect(labels('/docs/privacy', userOfLevel(10))).toEqual(['홈', '설정', '내 정보', '로그아웃']);
    expect(labels('/docs/privacy', anonymous)).toEqual(['홈', '로그인']);
  });

  test('NAV-1 NAV-10 has the same screens as the side bar, by level', () => {
    expect(labels('/settings', userOfLevel(3))).toEqual(['홈', '내 정보', '랩비 관리', '로그아웃']);
    for (const level of LEVELS) {
      const { screens } = drawerMenu('/manage_user_info', userOfLevel(level));
      expect(screens).toEqual(screensFor(userOfLevel(level)));
    }
    for (const level of LEVELS.filter((level) => !hasAccess(level, ACCOUNT_MANAGER))) {
      expect(labels('/settings', userOfLevel(level))).toEqual(['홈', '내 정보', '로그아웃']);
    }
  });

  test('NAV-6 has plants and operations in groups of their own, and not on the main page', () => {
    const groups = drawerMenu('/settings', userOfLevel(1)).screens;
    expect(groups.map(({ title }) => title)).toEqual(['관리', '화분', '운영']);
    expect(groups.find(({ name }) => name === 'plants')?.items.map(({ to }) => to)).toEqual([
      '/manage_plants',
    ]);
    expect(labels('/', userOfLevel(1))).not.toContain('화분 관리');
  });
});

describe('the side bar', () => {
  const groupsOf = (level: number) =>
    screensFor(userOfLevel(level)).map(({ title, items }) => ({
      title,
      pages: items.flatMap(({ to, beneath }) => (beneath ? [to, beneath.to] : [to])),
    }));

  test('NAV-10 holds every screen that the level allows, plants and operations in groups of their own', () => {
    expect(groupsOf(10)).toEqual([{ pages: ['/settings'] }, { title: '관리', pages: ['/manage_user_info'] }]);
    expect(groupsOf(3)).toEqual([
      { pages: ['/settings'] },
      { title: '관리', pages: ['/manage_user_info', '/manage_account'] },
    ]);
    const all = groupsOf(1);
    expect(all.map(({ title }) => title)).toEqual([undefined, '관리', '화분', '운영']);
    expect(all.at(2)).toEqual({ title: '화분', pages: ['/manage_plants'] });
    for (const level of LEVELS) {
      const allowed = Object.keys(pageAccess).filter(
        (page) => isGuardedPage(page) && mayOpen(userOfLevel(level), page),
      );
      const shown = groupsOf(level).flatMap(({ pages }) => pages);
      expect(new Set(shown), `level ${level}`).toEqual(new Set(allowed));
      expect(shown).toHaveLength(allowed.length);
    }
  });
});

const adminPages = [
  '/manage_users',
  '/manage_students',
  '/manage_courses',
  '/manage_subjects_list',
  '/manage_scores',
  '/manage_plants',
  '/manage_health',
  '/manage_content',
] as const;
const everyonesPages = ['/settings', '/manage_user_info'] as const;

const levelsThatMayOpen = (page: GuardedPage) => LEVELS.filter((level) => mayOpen(userOfLevel(level), page));

describe('who may open a page', () => {
  test('NAV-4 nobody without a login', () => {
    for (const page of [...adminPages, ...everyonesPages, '/manage_account'] as const) {
      expect(mayOpen(anonymous, page)).toBe(false);
      expect(mayOpen({ ...userOfLevel(1), isLoggedIn: false }, page)).toBe(false);
    }
  });

  test('NAV-5 each page from the level of the specification on', () => {
    for (const page of adminPages) expect(levelsThatMayOpen(page), page).toEqual([1]);
    for (const page of everyonesPages) expect(levelsThatMayOpen(page), page).toEqual(LEVELS);
    expect(levelsThatMayOpen('/manage_account')).toEqual([1, 3]);
    expect(Object.keys(pageAccess)).toHaveLength(adminPages.length + everyonesPages.length + 1);
  });
});
