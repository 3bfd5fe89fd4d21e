import { firstVersion } from '#content/first-version';
import { localize } from '#contract/content';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitForHydration } from '../support/hydration.ts';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { shareOrAll } from '../support/counts.ts';
import { findings } from '../support/findings.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { hostileMarkdown } from '../web/docs-hostile.ts';

const labEn = localize(firstVersion.lab, 'en');

declare global {
  interface Window {
    violations: string[];
    shift: number;
  }
}

const docs = [
  ['staff-guide', '구성원 안내서'],
  ['sensor-protocol', '센서 보드 통신 규약'],
  ['privacy', '개인정보 처리방침'],
] as const;

const LAB = ' · 사이버물리시스템 연구실';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** Scripts and markdown that the page asks for. */
function requestsOf(page: Page): { renderer: string[]; markdown: string[] } {
  const asked = { renderer: [] as string[], markdown: [] as string[] };
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/render-doc|parse-doc/.test(pathname)) asked.renderer.push(pathname);
    if (pathname.startsWith('/markdown/')) asked.markdown.push(pathname);
  });
  return asked;
}

/** Serves a document that the build did not know. */
function serveDoc(page: Page, name: string, body: string): Promise<unknown> {
  return page.route(`**/markdown/${name}.md`, (route) =>
    route.fulfill({ status: 200, contentType: 'text/markdown; charset=utf-8', body }),
  );
}

const everything = `# 나중에 온 문서

[링크](https://x.test)와 **굵게**, ~~지움~~, \`코드\`[^1].

- [x] 한 일
- [ ] 할 일

| 항목 | 값 |
| ---- | -: |
| ${'넓은칸'.repeat(30)} | 1 |

\`\`\`ts
// 주석
export const text: string = \`\${1 + 2}\`;
if (/x/.test(text)) throw new Error('a');
\`\`\`

> 인용

[^1]: 각주입니다.
`;

describe.skipIf(!hasBrowser)('the documents', () => {
  const stack = sharedStack('demo');

  test('NAV-9 follow their name without a reload, under the title of their first heading', async () => {
    const { page, problems } = await visit(stack);
    const asked = requestsOf(page);
    await page.goto('/');
    await page.waitForLoadState('networkidle');
    await page.goto('/docs/staff-guide');
    await heading(page, '구성원 안내서').waitFor();
    await waitForHydration(page);
    await page.evaluate(() => Object.assign(window, { stillHere: true }));
    await page.getByRole('link', { name: '센서 보드 통신 규약' }).click();
    await heading(page, '센서 보드 통신 규약').waitFor();
    await expect.poll(() => page.title()).toBe(`센서 보드 통신 규약${LAB}`);
    const section = page.getByRole('heading', { name: '새 보드를 붙일 때' });
    await expect
      .poll(() => section.evaluate((element) => element.getBoundingClientRect().top))
      .toBeLessThan(800);
    await page.goBack();
    await heading(page, '구성원 안내서').waitFor();
    await expect.poll(() => page.title()).toBe(`구성원 안내서${LAB}`);
    await expect.poll(() => page.evaluate(() => 'stillHere' in window)).toBe(true);
    // Neither the main page nor a document of the build needs what renders markdown.
    await expect
      .poll(() => new Set(asked.markdown))
      .toEqual(new Set(['/markdown/staff-guide.md', '/markdown/sensor-protocol.md']));
    expect(asked.renderer).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('NAV-9 wake without anything moving', async () => {
    const { page, problems } = await visit(stack);
    await page.addInitScript(() => {
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shift += 'value' in entry ? Number(entry.value) : 0;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const { promise: looked, resolve: goOn } = Promise.withResolvers<void>();
    await page.route('**/assets/index-*.js', async (route) => {
      await looked;
      await route.continue();
    });
    await page.goto('/docs/sensor-protocol', { waitUntil: 'commit' });
    const places = () =>
      page.locator('h1, h2, pre, td').evaluateAll((all) =>
        all.map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return [element.textContent, x, y, width, height];
        }),
      );
    await heading(page, '센서 보드 통신 규약').waitFor();
    await page.getByText('화면을 보는 방법은').waitFor();
    await page.waitForFunction(() => document.styleSheets.length === 2);
    await page.evaluate(() => Object.assign(window, { drawn: document.querySelector('h1') }));
    const before = await places();
    expect(before.length).toBeGreaterThan(20);
    goOn();
    await waitForHydration(page);
    await expect.poll(places).toEqual(before);
    await expect
      .poll(() => page.evaluate(() => Reflect.get(window, 'drawn') === document.querySelector('h1')))
      .toBe(true);
    expect(await page.evaluate(() => window.shift)).toBe(0);
    expect(problems).toEqual([]);
  });

  test('NAV-9 open at the section that an address names', async () => {
    const { page } = await visit(stack, { at: '/docs/staff-guide#doc-남는-기록' });
    await waitForHydration(page);
    const top = () =>
      page
        .getByRole('heading', { name: '남는 기록' })
        .evaluate((element) => element.getBoundingClientRect().top);
    await expect.poll(top).toBeLessThan(200);
    await expect.poll(top).toBeGreaterThan(0);
  });

  test('NAV-9 can be read without JavaScript', async () => {
    const { page, context } = await visit(stack);
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setScriptExecutionDisabled', { value: true });
    for (const [name, title] of docs) {
      const answer = await page.goto(`/docs/${name}`);
      expect(answer?.status()).toBe(200);
      await heading(page, title).waitFor();
      await expect.poll(() => page.title()).toBe(title + LAB);
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('ko');
      await expect
        .poll(() => page.locator('link[rel=canonical]').getAttribute('href'))
        .toContain(`/docs/${name}`);
      const description = await page.locator('meta[name=description]').getAttribute('content');
      expect(description?.length).toBeGreaterThan(20);
      // Dressed as with script.
      expect(await page.locator('.doc').evaluate((doc) => getComputedStyle(doc).maxWidth)).not.toBe('none');
      expect(await page.locator('body').innerText()).not.toContain('JavaScript');
    }
  });

  test('PUB-18 NAV-9 SEC-35 say in both languages that there is none of a name; the server answers 404, for no index', async () => {
    const { page } = await visit(stack);
    const asked = requestsOf(page);
    const [answer, shown] = await Promise.all([
      page.waitForResponse('**/markdown/nosuch.md'),
      page.goto('/docs/nosuch'),
    ]);
    expect([answer.status(), shown?.status()]).toEqual([404, 404]);
    await expect.poll(() => page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex');
    await heading(page, '파일을 찾을 수 없습니다').waitFor();
    await page.getByRole('link', { name: 'EN', exact: true }).click();
    await heading(page, 'error: file not found').waitFor();
    await expect.poll(() => page.title()).toBe(`error: file not found · ${labEn.name}`);
    expect(asked.renderer).toEqual([]);
  });

  test('NAV-9 a file that was changed or taken away since the build is what shows, an unreachable one is not', async () => {
    const { page, problems } = await visit(stack);
    await serveDoc(page, 'privacy', '# 새 안내\n\n<b onclick="alert(1)">고친</b> 글입니다.');
    await page.goto('/docs/privacy');
    await heading(page, '새 안내').waitFor();
    await expect.poll(() => page.title()).toBe(`새 안내${LAB}`);
    await expect.poll(() => heading(page, '개인정보 처리방침').count()).toBe(0);
    expect(await page.locator('.doc [onclick]').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.route('**/markdown/staff-guide.md', (route) => route.fulfill({ status: 404, body: '' }));
    await page.goto('/docs/staff-guide');
    await heading(page, '파일을 찾을 수 없습니다').waitFor();
    await page.route('**/markdown/sensor-protocol.md', (route) => route.abort());
    const refused = page.waitForEvent('requestfailed');
    await page.goto('/docs/sensor-protocol');
    await refused;
    await waitForHydration(page);
    await heading(page, '센서 보드 통신 규약').waitFor();
    expect(await page.locator('[role=status], output:not(.doc output)').count()).toBe(0);
  });

  test('SEC-35 ask for nothing under a name that no document can have', async () => {
    const { page } = await visit(stack);
    const asked = requestsOf(page);
    // The static host leads this one to the address that it means.
    await page.goto('/docs/..%2f..%2fapi%2fcourses');
    const names = ['Staff-Guide', 'a.b', '%ED%95%9C', 'a%00', 'privacy.md', 'a b'];
    for (const name of names) {
      await page.goto(`/docs/${name}`);
      await heading(page, '파일을 찾을 수 없습니다').waitFor();
    }
    await page.goto('/docs/constructor');
    await heading(page, '파일을 찾을 수 없습니다').waitFor();
    expect(asked).toEqual({ renderer: [], markdown: ['/markdown/constructor.md'] });
  });

  test('NAV-9 tell a failure from a missing document, and try again', async () => {
    const { page } = await visit(stack);
    await page.route('**/markdown/later.md', (route) => route.fulfill({ status: 500, body: '' }));
    await page.goto('/docs/later');
    await page.getByText('문서를 불러오지 못했습니다').waitFor();
    expect(await page.getByText('파일을 찾을 수 없습니다').count()).toBe(0);
    await serveDoc(page, 'later', '# 이제 왔습니다');
    await page.getByRole('button', { name: '다시 시도' }).click();
    await heading(page, '이제 왔습니다').waitFor();
    await expect.poll(() => page.title()).toBe(`이제 왔습니다${LAB}`);
  });

  test('SEC-36 run nothing that a document brings which came after the build', async () => {
    const { page } = await visit(stack);
    const asked = requestsOf(page);
    let dialogs = 0;
    page.on('dialog', async (dialog) => {
      dialogs += 1;
      await dialog.dismiss();
    });
    await page.addInitScript(() => {
      window.violations = [];
      addEventListener('securitypolicyviolation', ({ violatedDirective }) => {
        window.violations.push(violatedDirective);
      });
    });
    await serveDoc(page, 'hostile', `# 나쁜 문서\n\n${hostileMarkdown.join('\n\n')}\n\n## 끝`);
    await page.goto('/docs/hostile');
    await page.getByRole('heading', { name: '끝', exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(asked.renderer.length).toBeGreaterThan(0);
    for (const link of await page.locator('.doc a:not([href])').all()) await link.click();
    const handlers = await page
      .locator('*')
      .evaluateAll((all) =>
        all.flatMap((element) => element.getAttributeNames().filter((name) => name.startsWith('on'))),
      );
    expect(handlers).toEqual([]);
    // A picture of another site is only not shown.
    const violations = await page.evaluate(() => window.violations);
    expect(violations.filter((directive) => directive !== 'img-src')).toEqual([]);
    expect(dialogs).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/docs/hostile');
    expect(
      await page.locator('.doc :is(script, iframe, svg, math, style, form, object, embed)').count(),
    ).toBe(0);
  });

  test.each(
    shareOrAll(1, [
      ['dark', 360],
      ['light', 1280],
      ['light', 360],
    ] as const),
  )('PUB-10 have no serious accessibility finding: %s, %i px', async (colorScheme, width) => {
    const { page } = await visit(stack, { viewport: { width, height: 800 } });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await serveDoc(page, 'later', everything);
    for (const [name, title] of [
      ...docs,
      ['later', '나중에 온 문서'],
      ['nosuch', '파일을 찾을 수 없습니다'],
    ]) {
      await page.goto(`/docs/${name}`);
      await heading(page, title ?? '').waitFor();
      await page.waitForLoadState('networkidle');
      expect(await findings(page), name).toEqual([]);
      // A wide table scrolls by itself.
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), {
          message: name,
        })
        .toBe(true);
    }
  });

  test('SEC-29 text that is slow to parse is read elsewhere: the page answers meanwhile', async () => {
    const { page } = await visit(stack);
    const slow = '*a_ '.repeat(12_500);
    await serveDoc(page, 'slow', `# 느린 문서\n\n${slow}`);
    await page.goto('/docs/slow');
    // The menu opens while the document is still being read, or at last shows as its text.
    await page.getByRole('button', { name: '메뉴 열기' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.doc').getByText('느린 문서').waitFor();
  });
});
