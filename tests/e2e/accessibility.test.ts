import { describe, expect, test } from 'vitest';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { isFull } from '../support/counts.ts';
import { findings } from '../support/findings.ts';
import { arriveAs } from '../support/sign-in-page.ts';
import { sharedStack } from '../support/shared-stack.ts';

const managementScreens = [
  ['/settings', 'Settings'],
  ['/manage_user_info', '사용자 정보 수정'],
  ['/manage_plants', '화분 관리'],
  ['/manage_health', '시스템 상태'],
  ['/manage_users', '사용자 관리'],
  ['/manage_users?tab=log', '사용자 관리'],
  ['/manage_students', '학생 관리'],
  ['/manage_students?tab=import', '학생 관리'],
  ['/manage_students?tab=pictures', '학생 관리'],
  ['/manage_students?tab=search', '학생 관리'],
  ['/manage_courses', '강의 관리'],
  ['/manage_courses?tab=form', '강의 관리'],
  ['/manage_subjects_list', '과목 목록'],
  ['/manage_account', '랩비 관리'],
  ['/manage_account?tab=import', '랩비 관리'],
  ['/manage_account?tab=report', '잔액 변화'],
  ['/manage_account?tab=dues', '랩비 관리'],
  ['/manage_scores', '성적 관리'],
  ['/test', '로그인 확인'],
] as const;

describe.skipIf(!hasBrowser)('every screen, in a real browser', () => {
  const stack = sharedStack('demo');

  const themes = [
    ['light', 1280],
    ['dark', 360],
  ] as const;

  /** Each screen once; in the long run in each theme and width. */
  const share = <Screen>(screens: readonly Screen[], [theme]: readonly [theme: string, width: number]) =>
    screens.filter((_, at) => isFull || themes[at % themes.length]?.[0] === theme);

  /** A page in one theme and width, with a look at an address that expects no finding. */
  async function looker(name: string, colorScheme: 'light' | 'dark', width: number) {
    const { page } = await visit(stack.origin, `${name}-${colorScheme}`, { width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const look = async (path: string, landmark: string | RegExp = /./) => {
      await page.goto(path);
      await page.getByRole('heading', { name: landmark }).first().waitFor();
      await page.waitForLoadState('networkidle');
      expect(await findings(page), path).toEqual([]);
      // Nothing is cut off or scrolls sideways on a phone.
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path).toBe(true);
    };
    return { page, look };
  }

  test.each(themes)(
    'PUB-10 open pages have no serious accessibility finding: %s, %i px',
    async (...theme) => {
      const { page, look } = await looker('axe-open', ...theme);
      await look('/ko', '사이버물리시스템 연구실');
      await look('/en', 'Cyber-Physical Systems Laboratory');
      for (const locale of ['ko', 'en']) {
        await page.evaluate((chosen) => localStorage.setItem('locale', chosen), locale);
        for (const path of share(['/docs/privacy', '/error/401', '/nowhere', '/login'], theme)) {
          await look(path);
          expect(await page.locator('html').getAttribute('lang'), path).toBe(locale);
        }
      }
    },
  );

  test.each(themes)(
    'PUB-10 screens behind the login have no serious accessibility finding: %s, %i px',
    async (...theme) => {
      const { page, look } = await looker('axe-management', ...theme);
      await arriveAs(page, 'admin@lab.test');
      for (const [path, heading] of share(managementScreens, theme)) await look(path, heading);
      await page.goto('/manage_scores');
      const classOf20 = Array.from(
        { length: 20 },
        (_, at) => `나린솔${at}\t20260${1000 + at}\t${95 - at * 2}`,
      );
      await page.getByLabel('점수 표', { exact: true }).fill(['이름\t학번\t점수', ...classOf20].join('\n'));
      await page.getByLabel('나린솔9 학점 직접 지정').selectOption('A');
      await page.getByRole('table', { name: '등급별 자리' }).waitFor();
      expect(await findings(page), 'a graded class').toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await page.goto('/manage_users');
      await page.getByRole('button', { name: '송바다 삭제' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await findings(page), 'confirm dialog').toEqual([]);
      await page.evaluate(() => localStorage.setItem('locale', 'en'));
      await look('/settings', 'Settings');
      await look('/manage_user_info');
    },
  );

  test('PUB-10 NAV-1 a press that comes before the page is awake opens the menu when it is', async () => {
    const { page } = await visit(stack.origin, 'early-press');
    await page.addInitScript(() => {
      const requestIdleCallback = window.requestIdleCallback.bind(window);
      const waiting: (() => void)[] = [];
      window.requestIdleCallback = (resume, options) =>
        waiting.push(() => requestIdleCallback(resume, options));
      addEventListener('wake', () => {
        window.requestIdleCallback = requestIdleCallback;
        for (const resume of waiting) resume();
      });
    });
    await page.goto('/');
    await page.getByRole('button', { name: /메뉴/ }).press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.evaluate(() => dispatchEvent(new Event('wake')));
    await page.getByRole('dialog').waitFor();
  });

  test('PUB-10 NAV-1 the menu opens, moves and closes by keyboard alone', async () => {
    const { page } = await visit(stack.origin, 'keyboard');
    await page.goto('/');
    const toggle = page.getByRole('button', { name: /메뉴/ });
    await toggle.focus();
    await page.keyboard.press('Enter');
    const menu = page.getByRole('dialog');
    await menu.waitFor();
    expect(await menu.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    for (let step = 0; step < 20; step++) {
      await page.keyboard.press('Tab');
      expect(await menu.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    }
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    expect(await toggle.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});
