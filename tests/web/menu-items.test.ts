import { describe, expect, test } from 'vitest';
import { managementItems, menuFor } from '../../web/src/components/layout/menu-items.ts';
import { anonymous, type LoginState } from '../../web/src/lib/login-state.ts';
import { mayOpen, pageAccess } from '../../web/src/lib/page-access.ts';

const userOfLevel = (secureLevel: number): LoginState => ({
  id: 1,
  isLoggedIn: true,
  email: 'someone@lab.test',
  name: '누군가',
  univId: '20100001',
  secureLevel,
});

const labels = (pathname: string, login: LoginState) =>
  menuFor(pathname, login).map(({ label }) => label({}, { locale: 'ko' }));

describe('the side menu', () => {
  test.each(['/', '/ko', '/en'])('NAV-1 has the section links on the main page at %s', (pathname) => {
    expect(labels(pathname, anonymous)).toEqual(['홈', '소개', '구성원', '강의', '연락처', '로그인']);
  });

  test('NAV-1 has Home alone on the login page', () => {
    expect(labels('/login', anonymous)).toEqual(['홈']);
    expect(labels('/login', userOfLevel(1))).toEqual(['홈']);
  });

  test('NAV-2 has Logout and Settings for a user, and no Settings on settings', () => {
    expect(labels('/', userOfLevel(10)).slice(5)).toEqual(['설정', '로그아웃']);
    expect(labels('/settings', userOfLevel(10))).toEqual(['홈', '내 정보', '로그아웃']);
  });

  test('NAV-1 has what settings has on other pages for a user, and Home and Login for a visitor', () => {
    expect(labels('/docs/privacy', userOfLevel(10))).toEqual(['홈', '내 정보', '설정', '로그아웃']);
    expect(labels('/docs/privacy', anonymous)).toEqual(['홈', '로그인']);
  });

  test('NAV-6 never shows plants, which stand on the settings page in a group of their own', () => {
    for (const pathname of ['/', '/settings', '/manage_plants', '/docs/privacy']) {
      expect(labels(pathname, userOfLevel(1))).not.toContain('화분 관리');
    }
    expect(managementItems.filter(({ group }) => group === 'plants').map(({ to }) => to)).toEqual([
      '/manage_plants',
    ]);
  });
});

describe('who may open a page', () => {
  test('NAV-4 nobody without a login', () => {
    for (const page of ['/settings', '/manage_user_info', '/manage_plants'] as const) {
      expect(mayOpen(anonymous, page)).toBe(false);
      expect(mayOpen({ ...userOfLevel(1), isLoggedIn: false }, page)).toBe(false);
    }
  });

  test('NAV-5 plants only at level 1, settings and my info at every level', () => {
    expect(pageAccess['/manage_plants']).toBe(1);
    expect([1, 3, 5, 8, 10].map((level) => mayOpen(userOfLevel(level), '/manage_plants'))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    for (const level of [1, 3, 5, 8, 10]) {
      expect(mayOpen(userOfLevel(level), '/settings')).toBe(true);
      expect(mayOpen(userOfLevel(level), '/manage_user_info')).toBe(true);
    }
  });
});
