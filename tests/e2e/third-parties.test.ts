import { describe, expect, test } from 'vitest';
import { apiAnswer } from '../support/api-answer.ts';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { shareOrAll } from '../support/counts.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { dismissToast } from '../support/toast.ts';

const CLIENT = '**/dev/identity/client*';
const STATUS = '**/api/login/status';

/** What may stand in the place of Google's script: `window.google.accounts.id`, and what of it fails. */
const scripts = {
  'draws nothing': 'initialize(){},renderButton(){},prompt(){},cancel(){},disableAutoSelect(){}',
  'draws a frame that is blocked':
    'initialize(){},renderButton(p){const f=document.createElement("iframe");f.style.cssText="height:0;border:0";p.append(f)},prompt(){},disableAutoSelect(){}',
  'throws instead of drawing': 'initialize(){},renderButton(){throw 1},prompt(){},disableAutoSelect(){}',
  'throws at once': 'initialize(){throw 1}',
  'throws when it prompts':
    'initialize(){},renderButton(p){p.innerHTML="<button>G</button>"},prompt(){throw 1},cancel(){throw 1}',
  'cannot disable auto-select': 'initialize(){},renderButton(){},prompt(){}',
  'throws at logout': 'initialize(){},renderButton(){},prompt(){},disableAutoSelect(){throw 1}',
};
const scriptOf = (members: string) => ({
  contentType: 'text/javascript',
  body: `window.google={accounts:{id:{${members}}}}`,
});

describe.skipIf(!hasBrowser)('between the portal and the world', () => {
  const stack = sharedStack('demo');

  test('AUTH-13 whatever stands in the place of Google’s script, /login has something to press and logout ends the session', async () => {
    const { page, context, problems } = await visit(stack, { as: 'member@lab.test', at: '/settings' });
    for (const [name, members] of shareOrAll(2, Object.entries(scripts))) {
      await page.route(CLIENT, (route) => route.fulfill(scriptOf(members)));
      await page.goto('/logout');
      await page.waitForURL(`${stack.origin}/`);
      const left = await context.request.post('/api/login/status', { headers: { origin: stack.origin } });
      expect(left.status(), name).toBe(401);
      problems.length = 0;
      await page.goto('/login');
      await page
        .getByRole('link', { name: 'Google 계정으로 로그인' })
        .or(page.getByRole('button', { name: 'G', exact: true }))
        .waitFor();
      expect(
        problems.filter((problem) => !problem.startsWith('Failed to load')),
        name,
      ).toEqual([]);
      await page.unroute(CLIENT);
      await page.goto('/api/login/redirect');
      await page.getByRole('link', { name: /member@lab\.test/ }).click();
      await page.waitForURL(`${stack.origin}/`);
    }
  });

  test('AUTH-13 an address of the redirect flow that is opened twice leaves one signed in', async () => {
    const { page } = await visit(stack, { at: '/api/login/redirect' });
    const back = page.waitForRequest('**/api/login/callback*');
    await page.getByRole('link', { name: /member@lab\.test/ }).click();
    const address = (await back).url();
    await page.waitForURL(`${stack.origin}/`);
    await page.goto(address);
    await page.getByText('로그인 성공', { exact: true }).waitFor();
    await expect.poll(() => page.evaluate(() => localStorage['loginState'])).toContain('member@lab.test');
  });

  test('AUTH-12 a status check that is cut off by another address signs nobody out, here or in another tab', async () => {
    const { page, context } = await visit(stack, { as: 'admin@lab.test', at: '/manage_users' });
    const other = await context.newPage();
    await other.goto('/manage_users');
    await other.getByRole('table', { name: '사용자' }).waitFor();
    await page.route(STATUS, async (route) => {
      const answer = await route.fetch();
      await new Promise((resolve) => {
        setTimeout(resolve, 600);
      });
      // The page may have given the call up.
      await route.fulfill({ response: answer }).catch(() => undefined);
    });
    for (const address of ['/manage_courses', '/settings', '/manage_users']) {
      const asked = page.waitForRequest(STATUS);
      await page.goto(address, { waitUntil: 'commit' });
      await asked;
    }
    await page.getByRole('table', { name: '사용자' }).waitFor();
    await expect.poll(() => page.evaluate(() => localStorage['loginState'])).toContain('admin@lab.test');
    // Also where a tab has told it all the same, the other one asks the server.
    const answered = other.waitForResponse(STATUS);
    await page.evaluate(() => localStorage.setItem('loginState', '{}'));
    await (await answered).finished();
    await other.waitForFunction(() => localStorage['loginState'].includes('admin@lab.test'));
    expect(other.url()).toBe(`${stack.origin}/manage_users`);
  });

  test('NAV-13 a refusal is told on the page that one is led back to, also in another document', async () => {
    const { page } = await visit(stack, { as: 'admin@lab.test', at: '/settings' });
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.evaluate(() => {
      location.href = '/manage_users';
    });
    await page.getByRole('table', { name: '사용자' }).waitFor();
    await page.route('**/api/users', (route) => route.fulfill(apiAnswer(403)));
    await page.reload();
    await dismissToast(page, '접근 권한 없음');
    await page.waitForURL('**/settings');
  });

  test('WORK-8 an entry that a portal’s page answers is not added: the form stays as it was typed', async () => {
    const { page } = await visit(stack, { as: 'account@lab.test', at: '/manage_account' });
    await page.getByLabel('금액').first().fill('7777');
    await page.getByLabel('내용', { exact: true }).fill('회식');
    const foreign = '서버와의 사이에서 다른 응답이 왔습니다';
    for (const [status, text] of [
      [200, foreign],
      [403, foreign],
      [429, foreign],
      [522, '서버 오류 (522)'],
    ] as const) {
      await page.route('**/api/account', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ status, contentType: 'text/html', body: '<title>Wi-Fi</title>' })
          : route.fallback(),
      );
      await page.getByRole('button', { name: '추가', exact: true }).click();
      await dismissToast(page, text);
      await expect.poll(() => page.getByLabel('금액').first().inputValue()).toBe('7777');
      expect(new URL(page.url()).pathname).toBe('/manage_account');
      await page.unroute('**/api/account');
    }
  });
});
