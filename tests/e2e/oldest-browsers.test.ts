import { beforeEach, describe, expect, test } from 'vitest';
import { pageAccess } from '../../web/src/lib/page-access.ts';
import { visit, type Visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { shareOrAll } from '../support/counts.ts';
import { asOldest } from '../support/oldest-engine.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { removeSession, signInAs } from '../support/sign-in-page.ts';

describe.skipIf(!hasBrowser)('the oldest browsers that the portal declares', () => {
  const stack = sharedStack('demo');
  let page: Visit['page'];
  let context: Visit['context'];
  let problems: Visit['problems'];
  beforeEach(async () => {
    ({ page, context, problems } = await visit(stack));
    await asOldest(context);
    // What the content security policy stops is not always an error: zod's probe is caught.
    await context.addInitScript(() =>
      addEventListener('securitypolicyviolation', ({ effectiveDirective, sourceFile }) =>
        console.error(`stopped: ${effectiveDirective} in ${sourceFile}`),
      ),
    );
  });

  test('NAV-16 every screen opens, with each of its tabs, and nothing throws', async () => {
    await page.goto('/');
    await page.getByRole('button', { name: '메뉴 열기' }).click();
    await page.getByRole('dialog', { name: '메뉴' }).getByRole('button', { name: '메뉴 닫기' }).click();
    for (const path of ['/en', '/publications', '/docs/sensor-protocol', '/nowhere']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
    }
    await signInAs(page, 'admin@lab.test');
    for (const path of shareOrAll(4, Object.keys(pageAccess))) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      for (const tab of await page.getByRole('tab').all()) {
        await tab.click();
        await page.getByRole('tabpanel').waitFor();
      }
      await page.waitForLoadState('networkidle').catch(() => undefined);
      expect(await page.getByText('화면을 표시하지 못했습니다').count(), path).toBe(0);
    }
    expect(problems.filter((problem) => !problem.startsWith('Failed to load'))).toEqual([]);
  });

  test('NAV-16 imports, choices and the end of a session with something unsaved work', async () => {
    await signInAs(page, 'admin@lab.test');
    await page.goto('/manage_subjects_list');
    await page.getByRole('main').locator('label').filter({ hasText: '1학년' }).first().click();
    await page.goto('/manage_students?tab=import');
    await page.getByLabel('연도').fill('2025');
    await page.getByLabel('과목', { exact: true }).fill('어느 과목');
    await page
      .getByLabel('명단', { exact: true })
      .fill(
        '번호\t학번\t이름\t학과\t학년\t구분\t연락처\t이메일\n1\t209900077\t홍길동\t컴퓨터\t1\t재학\t010-1234-5678\ta@b.kr',
      );
    await page.getByRole('button', { name: '미리보기' }).click();
    await page.getByRole('button', { name: /^[0-9]+명 (추가|저장)$/ }).waitFor();
    await page.goto('/manage_account');
    await page.getByLabel('금액').first().fill('7777');
    await page.getByLabel('내용', { exact: true }).fill('회식');
    await removeSession(page);
    await page.getByRole('button', { name: '추가', exact: true }).click();
    await page.getByRole('heading', { name: '다시 로그인해 주세요' }).waitFor();
    expect(problems.filter((problem) => !problem.startsWith('Failed to load'))).toEqual([]);
  });

  test('NAV-16 where the app cannot start, the page says why, what it needs, and how to sign in; so without JavaScript', async () => {
    await context.route('**/assets/index-*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'null.nothing' }),
    );
    for (const path of ['/login', '/manage_students']) {
      await page.goto(path);
      const alert = page.getByRole('main').getByRole('alert');
      await alert.filter({ hasText: /Firefox 115, Safari \(iPhone\) 16\.4/ }).waitFor();
      await alert.getByRole('link', { name: 'Google 계정으로 로그인' }).waitFor();
    }
    // The menu of a public page needs no app either.
    await page.goto('/');
    await page.getByRole('button', { name: '메뉴 열기' }).click();
    await page.getByRole('dialog', { name: '메뉴' }).waitFor();
    const plain = await context.browser()?.newContext({ javaScriptEnabled: false, baseURL: stack.origin });
    const bare = await plain?.newPage();
    await bare?.goto('/manage_students');
    const box = await bare?.getByText(/JavaScript가 필요합니다/).boundingBox();
    expect(box?.y).toBeLessThan(400);
    await plain?.close();
  });

  test('NAV-17 a page whose app did not come at first comes with the next touch, and keeps one link a file', async () => {
    let isMissing = true;
    await context.route('**/assets/index-*.js', (route) => (isMissing ? route.abort() : route.fallback()));
    await page.goto('/');
    for (let touch = 0; touch < 4; touch++) {
      const failed = page.waitForEvent('requestfailed');
      await page.mouse.wheel(0, 10);
      await failed;
    }
    // With the file there again the page recovers by itself, if need be by loading anew.
    isMissing = false;
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 10);
        const keys = () => Object.keys(document.querySelector('header button') ?? {}).join(' ');
        return await page.evaluate(keys).catch(() => '');
      })
      .toContain('__react');
    const links = await page.evaluate(() =>
      [...document.querySelectorAll('head link[href], head script[src]')].map((tag) => tag.outerHTML),
    );
    expect(links).toEqual([...new Set(links)]);
  });
});
