import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openLocalD1 } from '../../scripts/database/local-d1.ts';
import { apiAnswer } from '../support/api-answer.ts';
import { goInApp, visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { shareOrAll } from '../support/counts.ts';
import { signInDirectly, signInAs } from '../support/sign-in-page.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { dismissToast } from '../support/toast.ts';

const managementPages = {
  '/manage_users': { heading: '사용자 관리', level: 1 },
  '/manage_students': { heading: '학생 관리', level: 1 },
  '/manage_courses': { heading: '강의 관리', level: 1 },
  '/manage_subjects_list': { heading: '과목 목록', level: 1 },
  '/manage_account': { heading: '랩비 관리', level: 3 },
  '/manage_scores': { heading: '성적 관리', level: 1 },
  '/manage_plants': { heading: '화분 관리', level: 1 },
  '/manage_health': { heading: '시스템 상태', level: 1 },
  '/manage_content': { heading: '홈페이지 내용', level: 1 },
};
const guardedPaths = ['/settings', '/manage_user_info', ...Object.keys(managementPages)];

const sections = ['홈', '소개', '구성원', '논문', '강의', '모집', '연락처'];
const forAdmins = ['내 정보', '사용자 관리', '학생 관리', '강의 관리', '랩비 관리', '성적 관리'];
/** What the menu has of a group besides. */
const beneath = new Map([['강의 관리', ['과목 목록']]]);

/** What the side menu holds on the page as it stands. */
async function menuOf(page: Page): Promise<string[]> {
  // A wide window has the side bar in its place on the screens of the staff.
  await page.setViewportSize({ width: 1000, height: 900 });
  await page.getByRole('button', { name: '메뉴 열기' }).click();
  const menu = page.getByRole('dialog', { name: '메뉴' });
  await menu.getByRole('link').first().waitFor();
  const links = await menu.getByRole('link').all();
  // Behind a name stands what waits there.
  const labels = await Promise.all(links.map(async (link) => (await link.innerText()).split('\n')[0] ?? ''));
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'hidden' });
  return labels;
}

describe.skipIf(!hasBrowser)('getting around', () => {
  const stack = sharedStack('demo');

  test('NAV-1 NAV-2 a visitor finds the sections, Home and Login in the menu', async () => {
    const { page } = await visit(stack, { at: '/' });
    await expect.poll(() => menuOf(page)).toEqual([...sections, '로그인']);
    await page.getByRole('button', { name: '메뉴 열기' }).click();
    await page.getByRole('dialog').getByRole('link', { name: '연락처' }).click();
    await page.locator('section#contact:focus').waitFor();
    await page.waitForFunction(() => {
      const { top } = document.querySelector('#contact')?.getBoundingClientRect() ?? { top: Infinity };
      return top < innerHeight / 2;
    });
    await page.goto('/docs/privacy');
    await expect.poll(() => menuOf(page)).toEqual(['홈', '로그인']);
    await page.goto('/login');
    await expect.poll(() => menuOf(page)).toEqual(['홈']);
  });

  test.each(
    shareOrAll<[email: string, normal: string[], plants: string[]]>(1, [
      ['admin@lab.test', forAdmins, ['화분 관리']],
      ['member@lab.test', ['내 정보'], []],
      ['account@lab.test', ['내 정보', '랩비 관리'], []],
      ['university@lab.test', ['내 정보'], []],
      ['guest@lab.test', ['내 정보'], []],
    ]),
  )('NAV-1 NAV-2 NAV-6 %s finds what the level allows', async (email, normal, plants) => {
    const { page } = await visit(stack);
    await signInAs(page, email);
    await dismissToast(page, '로그인 성공');
    await expect.poll(() => menuOf(page)).toEqual([...sections, '설정', '로그아웃']);
    await page.getByRole('banner').getByRole('link', { name: '설정' }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    const operations = plants.length > 0 ? ['홈페이지 내용', '시스템 상태'] : [];
    const screens = [
      ...normal.flatMap((name) => [name, ...(beneath.get(name) ?? [])]),
      ...plants,
      ...operations,
    ];
    await expect.poll(() => menuOf(page)).toEqual(['홈', ...screens, '로그아웃']);
    const buttons = (group: string) =>
      page.getByRole('region', { name: group }).getByRole('heading', { level: 3 });
    await expect.poll(() => buttons('관리').allInnerTexts()).toEqual(normal);
    await expect.poll(() => buttons('화분').allInnerTexts()).toEqual(plants);
    await page.getByRole('main').getByRole('link', { name: '내 정보' }).click();
    await page.getByRole('heading', { name: '사용자 정보 수정' }).waitFor();
    await expect.poll(() => menuOf(page)).toEqual(['홈', '설정', ...screens, '로그아웃']);
  });

  /** What a screen is for, by its address. Scores have to be pasted first: SCO-20. */
  const firstThings: Record<string, (page: Page) => Locator> = {
    '/settings': (page) => page.getByRole('main').getByRole('link', { name: '학생 관리' }),
    '/manage_user_info': (page) => page.getByRole('main').getByRole('textbox').first(),
    '/manage_users': (page) => page.getByRole('table', { name: '사용자' }).getByRole('row').nth(1),
    '/manage_students?class=all': (page) => page.getByRole('row', { name: /4학년|재학/ }).first(),
    '/manage_courses': (page) => page.getByRole('table', { name: '강의 목록' }).getByRole('row').nth(1),
    '/manage_subjects_list?department=aics': (page) =>
      page.getByRole('table', { name: '과목 목록' }).getByRole('row').nth(1),
    '/manage_account': (page) => page.locator('tr[data-entry]').first(),
    '/manage_plants': (page) => page.locator('.recharts-surface').first(),
    '/manage_health': (page) => page.getByRole('region', { name: '요약' }),
    '/manage_content': (page) => page.getByRole('main').getByRole('textbox').first(),
  };
  test.each(
    shareOrAll(1, [
      ['phone', 390, 2 * 844],
      ['window', 1280, 800],
    ] as const),
  )(
    'NAV-14 NAV-5 an admin opens every screen, and what it is for stands on the first view of a %s',
    async (_, width, height) => {
      const { page } = await visit(stack, {
        as: 'admin@lab.test',
        at: '/settings',
        viewport: { width, height },
      });
      const low: string[] = [];
      for (const [address, thing] of Object.entries(firstThings)) {
        await goInApp(page, address);
        const first = thing(page);
        await first.waitFor();
        const box = await first.boundingBox();
        if (!box || box.y + box.height > height) low.push(`${address} ${Math.round(box?.y ?? -1)}`);
        for (const strip of await page.getByRole('tablist').all())
          if (await strip.evaluate((one) => one.scrollWidth > one.clientWidth)) low.push(`${address} tabs`);
      }
      expect(low).toEqual([]);
      await goInApp(page, '/manage_scores');
      await page.getByRole('heading', { level: 1, name: '성적 관리' }).waitFor();
    },
  );

  test('NAV-3 every address of the product is there, and no other', async () => {
    const { page } = await visit(stack);
    for (const path of ['/', '/login', '/test', '/docs/privacy', '/error', '/error/401', ...guardedPaths]) {
      expect((await fetch(stack.origin + path)).status, path).toBe(200);
    }
    for (const path of ['/nowhere', '/manage_nothing', '/settings/more']) {
      expect((await page.goto(path))?.status(), path).toBe(404);
      await page.getByRole('heading', { name: '해당 페이지를 찾을 수 없습니다.' }).waitFor();
    }
  });

  test('NAV-4 a visitor is sent to the login page, from outside and from inside the app', async () => {
    const { page } = await visit(stack);
    for (const path of shareOrAll(3, guardedPaths)) {
      await page.goto(path);
      await page.waitForURL('**/login');
      await page.getByRole('heading', { name: 'Login' }).waitFor();
      await page.getByRole('button', { name: '메뉴 열기' }).click();
      await page.getByRole('link', { name: '홈' }).click();
      await page.waitForURL(`${stack.origin}/`);
      await goInApp(page, path);
      await page.waitForURL('**/login');
    }
  });

  test.each(
    shareOrAll<[email: string, level: number]>(1, [
      ['account@lab.test', 3],
      ['member@lab.test', 5],
    ]),
  )('NAV-5 %s is kept out where level %i is too weak', async (email, level) => {
    const { page } = await visit(stack, { as: email });
    for (const [path, { heading, level: required }] of shareOrAll(3, Object.entries(managementPages))) {
      await page.goto(path);
      if (level <= required) {
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        continue;
      }
      await dismissToast(page, '접근 권한 없음');
      expect(page.url(), path).toBe(`${stack.origin}/`);
      await goInApp(page, '/docs/privacy?from=a-link');
      await page.getByRole('heading', { level: 1, name: /개인정보/ }).waitFor();
      await goInApp(page, path);
      await dismissToast(page, '접근 권한 없음');
      expect(page.url(), path).toBe(`${stack.origin}/docs/privacy?from=a-link`);
    }
  });

  test('OPS-4 an admin sees how the system is; a failure has a number that leads to its line in the log', async () => {
    const { page } = await visit(stack, { viewport: { width: 360, height: 800 } });
    await page.clock.install();
    await signInDirectly(page, 'admin@lab.test');
    await page.goto('/settings');
    const link = page.getByRole('region', { name: '운영' }).getByRole('link', { name: '시스템 상태' });
    await link.waitFor();
    // A route that fails counts against the API until it works again, and nobody asks for these tiles again.
    await page.waitForLoadState('networkidle');
    const db = openLocalD1(stack.dataDir);
    db.exec('ALTER TABLE sessions RENAME TO hidden');
    try {
      await link.click();
      const toast = page.getByRole('listitem').filter({ hasText: '서버 오류' });
      const id = /[0-9a-f]{8}-[0-9a-f]{4}/.exec(await toast.innerText())?.[0];
      await stack.untilPrinted(new RegExp(`"event":"request_failed","request_id":"[0-9a-f.]*${id}"`));
      await page.getByText('상태를 불러오지 못했습니다.').waitFor();
    } finally {
      db.exec('ALTER TABLE hidden RENAME TO sessions');
    }
    // It asks again by itself within a minute, whose timer may not run yet.
    const standing = async () => {
      await page.clock.fastForward(60_000);
      return await page.locator('[data-part][data-standing="stands"]').count();
    };
    await expect.poll(standing, { interval: 1000 }).toBe(5);
    const summary = page.getByRole('region', { name: '요약' });
    const tasks = page.getByRole('region', { name: '예약 작업' });
    // Also while the schedule comes round.
    db.exec('CREATE TRIGGER asleep BEFORE INSERT ON task_runs BEGIN SELECT RAISE(IGNORE); END');
    db.exec('DELETE FROM task_runs');
    // Asks again and again, because an answer that was under way may be older than the change.
    const untilSeen = async (text: Locator) => {
      await expect
        .poll(
          async () => {
            // Focus asks at most every five seconds.
            await page.clock.fastForward(6_000);
            await page.evaluate(() => dispatchEvent(new Event('focus')));
            return await text.count();
          },
          { interval: 500 },
        )
        .toBe(1);
    };
    await untilSeen(summary.getByText('아직 확인하지 않았습니다. 상태 점검은 5분마다 실행됩니다.'));
    await tasks.getByText('아직 실행되지 않음').first().waitFor();
    db.exec('ALTER TABLE task_runs RENAME TO hidden');
    await untilSeen(summary.getByText('일부 상태를 불러오지 못했습니다.'));
    await tasks.getByText('불러오지 못했습니다.').waitFor();
    db.exec('ALTER TABLE hidden RENAME TO task_runs');
    db.exec('DROP TRIGGER asleep');
    db.close();
    await untilSeen(page.locator('[aria-label=요약][data-state=plants]'));
    await page.getByText('npm run backup -- drill').waitFor({ state: 'hidden' });
    for (const [title, text] of [
      ['화분별 마지막 측정값', 'rosemary'],
      ['브리지에서 대기 중인 측정값', 'local'],
      ['저장 공간', 'MB'],
      ['백업', '아직 백업이 없습니다'],
    ] as const) {
      const part = page.getByRole('region', { name: title });
      await expect.poll(() => part.innerText()).toContain(text);
    }
    // The rosemary's board has been off since yesterday.
    await page.locator('[data-over="true"]').filter({ hasText: 'rosemary' }).waitFor();
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(360);
  });

  test('NAV-5 hovering over the links asks the API for nothing, so no answer leads anywhere', async () => {
    const { page } = await visit(stack, { as: 'admin@lab.test', at: '/settings' });
    const links = page.getByRole('main').getByRole('link');
    await links.filter({ hasText: '화분 관리' }).waitFor();
    await page.waitForLoadState('networkidle');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    for (const link of await links.all()) await link.hover();
    // Screens that share their scripts need fewer requests than links.
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    await page.waitForLoadState('networkidle');
    expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([]);
    expect(new URL(page.url()).pathname).toBe('/settings');
  });

  test('NAV-7 the login event has the login state checked again', async () => {
    const { page } = await visit(stack, { as: 'member@lab.test', at: '/test' });
    const emit = page.getByRole('main').getByRole('button');
    await emit.click();
    await expect.poll(() => emit.count()).toBe(1);
    await page.getByRole('main').getByText('member@lab.test').waitFor();
    // The session ends behind the page's back.
    await page.request.post('/api/logout');
    await emit.click();
    await page.getByText('로그인되어 있지 않습니다.').waitFor();
    const stored = await page.evaluate(() => localStorage.getItem('loginState'));
    expect(JSON.parse(stored ?? '')).toMatchObject({ id: -1, isLoggedIn: false, secureLevel: 100 });
  });

  test('NAV-8 PUB-22 the countdown of the error page leads to the main page, can be stopped, and leaves whoever goes earlier alone', async () => {
    const { page } = await visit(stack);
    await page.clock.install();
    await page.goto('/error/401');
    await page.getByText('사용자 인증에 실패했습니다.').waitFor();
    // The clock goes on by itself, too.
    await page.getByText(/[345]초 후에 메인 페이지로 돌아갑니다/).waitFor();
    await page.clock.runFor(2000);
    await page.getByText(/[123]초 후에 메인 페이지로 돌아갑니다/).waitFor();
    await goInApp(page, '/docs/privacy');
    await page.getByRole('heading', { level: 1, name: /개인정보/ }).waitFor();
    await page.clock.runFor(20_000);
    expect(page.url()).toBe(`${stack.origin}/docs/privacy`);

    await goInApp(page, '/error/404');
    const stay = page.getByRole('button', { name: '이 페이지에 머무르기' });
    await stay.press('Enter');
    await page.getByText('이 페이지에 머무릅니다.').waitFor();
    await page.clock.runFor(20_000);
    expect(new URL(page.url()).pathname).toBe('/error/404');
    await stay.press('Enter');
    await page.clock.runFor(6000);
    await page.waitForURL(stack.origin);
    await page.goto('/error');
    await page.getByText('해당 페이지를 찾을 수 없습니다.').waitFor();
    await page.getByRole('link', { name: '지금 메인 페이지로 가기' }).click();
    await page.waitForURL(stack.origin);
  });

  // The server cannot be made to fail on demand, so its answer is put in place of the real one.
  test('ERR-1 an answer to a list that is none is told in a toast that can be closed', async () => {
    const { page } = await visit(stack, { as: 'admin@lab.test' });
    for (const [status, json, text] of shareOrAll<[status: number, json: object, text: string]>(1, [
      [500, {}, '서버 오류'],
      [503, {}, '데이터 없음'],
      [409, { error: { code: 'conflict', message: '이미 처리되었습니다' } }, '이미 처리되었습니다'],
      [418, {}, '서버 오류 (418)'],
    ])) {
      await page.route('**/api/users', (route) => route.fulfill(apiAnswer(status, json)));
      await page.goto('/manage_users');
      await dismissToast(page, text);
      await page.getByText('사용자를 불러오지 못했습니다.').waitFor();
      expect(page.url()).toBe(`${stack.origin}/manage_users`);
      await page.unroute('**/api/users');
      await page.getByRole('button', { name: '다시 시도' }).click();
      await page.getByRole('table', { name: '사용자' }).waitFor();
    }
  });

  test('AUTH-2 a login that the server cannot check is told, and nobody is signed in', async () => {
    const { page } = await visit(stack);
    await page.route('**/api/login', (route) => route.fulfill({ status: 503, json: {} }));
    await page.goto('/login');
    await page.getByRole('button', { name: 'Sign in with Google' }).click();
    await page.getByRole('button', { name: 'member@lab.test' }).click();
    await dismissToast(page, '로그인 서버 연결 실패');
    expect(page.url()).toBe(`${stack.origin}/login`);
    // As the redirect flow comes back where too many sign in.
    await page.goto('/login?failed=429');
    await dismissToast(page, '요청이 너무 많습니다. 잠시 후 다시 시도하세요');
    expect(page.url()).toBe(`${stack.origin}/login`);
  });

  test('AUTH-4 One Tap is prompted once, with auto-select, beside the button', async () => {
    const { page } = await visit(stack);
    await page.addInitScript(() => {
      const calls: unknown[] = [];
      Object.assign(window, { calls });
      let google: { accounts: { id: Record<string, (options?: object) => void> } };
      Object.defineProperty(window, 'google', {
        get: () => google,
        set: (value: typeof google) => {
          google = value;
          const { id } = google.accounts;
          for (const name of ['initialize', 'prompt']) {
            const real = id[name];
            id[name] = (options) => {
              calls.push([name, Reflect.get(options ?? {}, 'auto_select')]);
              real?.(options);
            };
          }
        },
      });
    });
    await page.goto('/login');
    await page.getByRole('button', { name: 'Sign in with Google' }).waitFor();
    await page.waitForFunction(() => Reflect.get(window, 'calls').length >= 2);
    await page.getByRole('link', { name: 'EN', exact: true }).click();
    await page.getByText('Members of the laboratory').waitFor();
    await page.getByRole('button', { name: 'Sign in with Google' }).waitFor();
    await expect
      .poll(() => page.evaluate(() => Reflect.get(window, 'calls')))
      .toEqual([
        ['initialize', true],
        ['prompt', undefined],
      ]);
  });
});
