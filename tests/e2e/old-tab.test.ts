import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { shareOrAll } from '../support/counts.ts';
import { signInAs } from '../support/sign-in-page.ts';
import { sharedStack } from '../support/shared-stack.ts';

const DAY = 86_400_000;

describe.skipIf(!hasBrowser)('a tab that is older than the site, or whose clock is wrong', () => {
  const stack = sharedStack('demo');

  async function openAs(email: string) {
    const opened = await visit(stack, { as: email });
    return opened;
  }

  /** Has every script under /assets/ that is asked for from now on be missing. */
  const missScripts = async (page: Page) =>
    await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404, body: '' }));

  test('ERR-1 a part that cannot be loaded says so in its own place, and comes when it can', async () => {
    const { page } = await openAs('admin@lab.test');
    await page.goto('/manage_account');
    await page.getByRole('table').first().waitFor();
    await page.waitForLoadState('networkidle');
    await missScripts(page);
    await page.getByRole('tab', { name: '통계·결산' }).click();
    const note = page.getByRole('alert').filter({ hasText: '화면을 표시하지 못했습니다' });
    await note.getByRole('button', { name: '새로 고침' }).waitFor();
    // All around it stays.
    await expect.poll(() => page.getByRole('heading', { level: 1, name: '랩비 관리' }).count()).toBe(1);
    await expect.poll(() => page.getByRole('button', { name: '인쇄' }).count()).toBe(1);
    await page.getByRole('tab').first().click();
    await page.getByRole('table').first().waitFor();
    await page.unrouteAll();
    await page.reload();
    await page.getByRole('tab', { name: '통계·결산' }).click();
    await page.locator('.recharts-surface').first().waitFor();
  });

  test('ERR-1 a screen that cannot be loaded leaves bar and menu, and offers the new version', async () => {
    const { page } = await openAs('admin@lab.test');
    await page.goto('/settings');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.waitForLoadState('networkidle');
    await missScripts(page);
    // As the site begins after another deployment.
    await page.route(`${stack.origin}/`, (route) =>
      route.fulfill({ body: '<script src="/assets/index-new.js">' }),
    );
    let loads = 0;
    page.on('load', () => loads++);
    await page.getByRole('main').getByRole('link', { name: '화분 관리' }).click();
    const note = page.getByRole('alert').filter({ hasText: '새 버전이 나왔습니다' });
    await note.waitFor();
    // Nothing was loaded anew without being asked for.
    expect(loads).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: '사이드바 접기' }).count()).toBe(1);
    await page.unrouteAll();
    await note.getByRole('button', { name: '새로 고침' }).click();
    await page.getByRole('heading', { level: 1, name: '화분 관리' }).waitFor();
  });

  test.each(
    shareOrAll(1, [
      ['ahead', DAY],
      ['behind', -DAY],
    ] as const),
  )('OPS-4 with a clock a day %s a live plant is live, and health tells the same ages', async (way, off) => {
    const { page } = await openAs('admin@lab.test');
    const plant = async () => {
      await page.goto('/manage_plants');
      const card = page.locator('li[data-plant="바질"]');
      await card.waitFor();
      return await card.getByText('수신 끊김').count();
    };
    expect(await plant()).toBe(0);
    await page.clock.setSystemTime(Date.now() + off);
    expect(await plant()).toBe(0);
    await page.goto('/manage_health');
    const readings = page.getByRole('region', { name: '화분별 마지막 측정값' });
    await readings.getByText('바질').waitFor();
    await expect
      .poll(() => readings.locator('[data-over="true"]').allInnerTexts())
      .toEqual([expect.stringContaining('rosemary')]);
  });
});

describe.skipIf(!hasBrowser)('what the site calls as it is specified', () => {
  const stack = sharedStack('demo');

  test('API-1 AUTH-2 login and logout carry the content type of JSON; /login typed between them goes back one page, to / where there is none of the site', async () => {
    const { page, context } = await visit(stack);
    const login = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/login');
    await signInAs(page, 'member@lab.test');
    expect((await login).headers()['content-type']).toBe('application/json');
    await page.goto('/docs/privacy');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goto('/login');
    await page.waitForURL('**/docs/privacy');
    const tab = await context.newPage();
    await tab.goto('/login');
    await tab.waitForURL(`${stack.origin}/`);
    const logout = page.waitForRequest('**/api/logout');
    await page.goto('/logout');
    expect((await logout).headers()['content-type']).toBe('application/json');
  });
});
