import { loginUserSchema } from '#contract/users';
import { SESSION_TTL_HEADER, BACKGROUND_HEADER } from '#contract/session';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { pageAccess } from '../../web/src/lib/page-access.ts';
import { store } from '../support/both-databases.ts';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { shareOrAll } from '../support/counts.ts';
import { credential } from '../support/sign-in.ts';
import { signInAs } from '../support/sign-in-page.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { dismissToast } from '../support/toast.ts';

/** Every page that needs a login, as the guard knows them: a new one is in the tests. */
const guardedPages = Object.keys(pageAccess);
const HOUR = 3_600_000;
/** What a screen is known to ask by itself, so that the test cannot pass by seeing nothing. */
const pollsOf: Record<string, string[]> = {
  '/manage_plants': ['/api/plants/states', '/api/plants', '/api/plants/waterings'],
  '/manage_health': ['/api/health/details'],
};

async function openTab(context: BrowserContext, path: string): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto(path);
  await tab.getByRole('heading', { level: 1 }).waitFor();
  await tab.waitForFunction((to) => location.pathname === to, path);
  return tab;
}

const untilAtLogin = async (tab: Page) => {
  await tab.waitForFunction(() => location.pathname === '/login');
  await tab.getByRole('heading', { name: 'Login' }).waitFor();
};

/** Ends the session in a tab of its own. */
async function logOut(context: BrowserContext): Promise<void> {
  const tab = await context.newPage();
  await tab.goto('/logout');
  await dismissToast(tab, '로그아웃');
}

describe.skipIf(!hasBrowser)('the end of a session in a browser with several tabs', () => {
  const stack = sharedStack('demo');

  /** Has the sessions of a user last been used so long ago. */
  function lastUsed(email: string, agoMs: number): void {
    store(
      stack.dataDir,
      'UPDATE sessions SET last_used_at = ? WHERE user_id IN (SELECT id FROM users WHERE email = ?)',
      Date.now() - agoMs,
      email,
    );
  }

  test('WORK-5 a logout in one tab closes every guarded screen in the others, with an open dialog, a frozen one when it is there again, and an answer that comes late shows nothing', async () => {
    const { page, context } = await visit(stack);
    await signInAs(page, 'admin@lab.test');
    await dismissToast(page, '로그인 성공');
    const tabs = new Map<string, Page>();
    const watched = new Set(['/manage_students', '/manage_users', ...shareOrAll(2, guardedPages)]);
    for (const path of watched) tabs.set(path, await openTab(context, path));
    const [students, users] = ['/manage_students', '/manage_users'].map((path) => tabs.get(path));
    if (students === undefined || users === undefined) throw new Error('no such pages');
    await students.getByRole('table').getByRole('row').nth(1).getByRole('button').click();
    await students.getByRole('menuitem', { name: '학생 삭제' }).click();
    await students.getByRole('dialog').waitFor();
    const devtools = await context.newCDPSession(users);
    await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
    const late = await context.newPage();
    const held = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    await late.route('**/api/students', async (route) => {
      const answer = await route.fetch();
      await held.promise;
      // The page has given the call up.
      await route.fulfill({ response: answer }).catch(() => undefined);
      answered.resolve();
    });
    await late.goto('/manage_students');
    await late.getByRole('heading', { level: 1 }).waitFor();

    await logOut(context);
    await devtools.send('Page.setWebLifecycleState', { state: 'active' });
    for (const tab of [...tabs.values(), late]) await untilAtLogin(tab);
    expect(await students.getByRole('dialog').count()).toBe(0);
    held.resolve();
    await answered.promise;
    await late.goBack();
    await late.waitForFunction(() => location.pathname !== '/manage_students');
    expect(await late.getByRole('table').count()).toBe(0);
    // A public page stays, and knows.
    expect(new URL(page.url()).pathname).toBe('/');
    await page.getByRole('button', { name: '메뉴 열기' }).click();
    await page.getByRole('dialog').getByRole('link', { name: '로그인' }).waitFor();
    expect(await page.getByRole('dialog').innerText()).not.toContain('admin@lab.test');
  });

  test.each(
    shareOrAll(1, [
      ['account@lab.test', '/manage_account'],
      ['member@lab.test', '/'],
    ] as const),
  )(
    'WORK-5 when %s signs in in another tab, the account starts anew for those who may',
    async (email, end) => {
      const { page, context } = await visit(stack);
      await signInAs(page, 'admin@lab.test');
      await dismissToast(page, '로그인 성공');
      const tab = await openTab(context, '/manage_account');
      await tab.getByRole('tab').nth(1).click();
      await tab.waitForLoadState('networkidle');
      // From here on, because a tab that asks by itself who is signed in may learn it before the other one tells.
      const asked = end === '/' ? undefined : tab.waitForRequest('**/api/account');
      // Their session takes the place of the first one's in every tab.
      const authorization = `Bearer ${await credential(stack.origin, email)}`;
      const answer = await context.request.post('/api/login', { headers: { authorization } });
      await page.evaluate(
        (user) => localStorage.setItem('loginState', JSON.stringify({ ...user, isLoggedIn: true })),
        loginUserSchema.parse(await answer.json()),
      );
      await asked;
      await tab.waitForFunction((to) => location.pathname === to, end);
      if (end === '/') await dismissToast(tab, '접근 권한 없음');
      else await tab.getByRole('tab', { selected: true }).first().waitFor();
    },
  );

  test('WORK-5 a session that ends by itself closes its screens without a click, also those that ask nothing', async () => {
    const { page, context } = await visit(stack);
    await context.clock.install();
    await signInAs(page, 'admin@lab.test');
    const silent = await openTab(context, '/manage_students');
    await silent.getByRole('table').waitFor();
    const polling = await openTab(context, '/manage_plants');
    await polling.waitForLoadState('networkidle').catch(() => undefined);
    // Two idle hours less a minute: the screen that asks by itself hears how little is left, and does not prolong it.
    lastUsed('admin@lab.test', 2 * HOUR - 60_000);
    const telling = polling.waitForResponse((answer) => {
      const left = Number(answer.headers()[SESSION_TTL_HEADER] ?? 7200);
      return left < 65;
    });
    // While its socket stands it asks seldom; after a connection that was away it asks by itself.
    await context.setOffline(true);
    await context.setOffline(false);
    const told = await telling;
    expect(told.request().headers()[BACKGROUND_HEADER]).toBe('1');
    lastUsed('admin@lab.test', 2 * HOUR);
    await context.clock.fastForward(60_000);
    await untilAtLogin(silent);
    await untilAtLogin(polling);
  });

  test('WORK-5 where the browser stores nothing, a logout closes the other tabs as well', async () => {
    const { page, context } = await visit(stack);
    await context.addInitScript(() => {
      // All but the key of the provider's stand-in, which has an origin of its own in real life.
      const check = (key: string) => {
        if (!key.startsWith('dev-identity')) throw new DOMException('blocked', 'SecurityError');
      };
      Storage.prototype.getItem = function (key) {
        check(key);
        return Reflect.get(this, key) ?? null;
      };
      Storage.prototype.setItem = function (key, text) {
        check(key);
        Reflect.set(this, key, text);
      };
    });
    await signInAs(page, 'admin@lab.test');
    const tab = await openTab(context, '/manage_users');
    await tab.getByRole('table').waitFor();
    await logOut(context);
    await untilAtLogin(tab);
  });

  test('SEC-10 every screen says of each call that it makes by itself that nobody made it', async () => {
    const { page } = await visit(stack, { as: 'admin@lab.test' });
    // Told of everything, the screen of the plants would ask nothing.
    await page.routeWebSocket('**/api/plants/live', (socket) => void socket.close());
    await page.clock.install();
    let counted: string[] = [];
    let silent = new Set<string>();
    page.on('request', (request) => {
      if (!request.url().includes('/api/') || request.resourceType() !== 'fetch') return;
      if (request.headers()[BACKGROUND_HEADER] === '1') silent.add(new URL(request.url()).pathname);
      else counted.push(request.url());
    });
    for (const path of new Set([...Object.keys(pollsOf), ...shareOrAll(2, guardedPages)])) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle').catch(() => undefined);
      counted = [];
      silent = new Set();
      for (let minute = 0; minute < 10; minute++) {
        await page.clock.runFor(60_000);
        await page.evaluate(() => {
          dispatchEvent(new Event('focus'));
          dispatchEvent(new Event('online'));
          document.dispatchEvent(new Event('visibilitychange'));
          // A script that clicks is nobody.
          document.body.click();
          dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }));
        });
      }
      expect(counted, path).toEqual([]);
      expect([...silent], path).toEqual(expect.arrayContaining(pollsOf[path] ?? []));
      // A key that somebody presses is told, though the screen has nothing to ask.
      const renewal = page.waitForRequest(
        (request) => request.url().includes('/api/') && request.headers()[BACKGROUND_HEADER] === undefined,
      );
      await page.keyboard.press('Shift');
      await renewal;
    }
  });
});
