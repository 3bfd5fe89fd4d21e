import { firstVersion } from '#content/first-version';
import { localize } from '#contract/content';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { telephoneAddress } from '../../web/src/features/landing/contact-links.ts';
import { waitForHydration } from '../support/hydration.ts';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { sharedStack } from '../support/shared-stack.ts';

const aboutEn = localize(firstVersion.about, 'en');
const aboutKo = localize(firstVersion.about, 'ko');
const labEn = localize(firstVersion.lab, 'en');
const labKo = localize(firstVersion.lab, 'ko');

const SCRIPTS = '**/assets/*.js';

describe.skipIf(!hasBrowser)('what stands around every screen', () => {
  const stack = sharedStack('demo');

  async function open(viewport = { width: 1280, height: 800 }) {
    return await visit(stack, { viewport });
  }

  const menuOf = async (page: Page) => {
    await page.getByRole('button', { name: /메뉴 열기|Open menu/ }).click();
    return page.getByRole('dialog', { name: /메뉴|Menu/ });
  };
  const untilAt = (page: Page, id: string) =>
    page.waitForFunction((id) => {
      const { top = Infinity } = document.getElementById(id)?.getBoundingClientRect() ?? {};
      return Math.abs(top) < innerHeight / 4;
    }, id);

  test('PUB-16 PUB-10 NAV-1 menu and languages work before the app is there, which comes when it can', async () => {
    const { page } = await open();
    let asked = 0;
    await page.route(SCRIPTS, (route) => {
      asked++;
      return route.abort();
    });
    await page.goto('/ko');
    const menu = await menuOf(page);
    await menu.getByRole('link', { name: '연락처' }).click();
    await menu.waitFor({ state: 'hidden' });
    await untilAt(page, 'contact');
    await page.getByRole('link', { name: 'EN', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: labEn.name }).waitFor();
    await page.goto('/');
    await page.waitForURL('**/en');
    await page.getByRole('heading', { level: 1, name: labEn.name }).waitFor();
    await expect.poll(() => asked).toBeGreaterThan(0);
    await page.unroute(SCRIPTS);
    await menuOf(page);
    await waitForHydration(page);
    // React has taken over the menu that is open.
    await menu.getByRole('link', { name: 'People' }).click();
    await menu.waitFor({ state: 'hidden' });
    await untilAt(page, 'people');
    await page.waitForURL('**/en#people');
    // Where the app draws the page anew, it opens it anew.
    const release = Promise.withResolvers<void>();
    await page.route(SCRIPTS, async (route) => {
      await release.promise;
      await route.continue();
    });
    await page.goto('/nowhere');
    await menuOf(page);
    await page.locator('h1').evaluate((drawn) => Object.assign(window, { drawn }));
    release.resolve();
    await page.waitForFunction(() => !Reflect.get(window, 'drawn').isConnected);
    await menu.getByRole('link', { name: 'Home' }).click();
    await page.waitForURL('**/en');
  });

  test('PUB-12 PUB-16 every address says something in the language one reads, before the app is there', async () => {
    const { page } = await open();
    let isAwaited = false;
    // What never comes is still awaited; what fails is told.
    await page.route(SCRIPTS, async (route) => {
      if (!isAwaited) await route.abort();
    });
    const heading = (name: string) => page.getByRole('heading', { level: 1, name });
    const lab = (name: string) => page.getByRole('banner').getByRole('link', { name });
    for (const [locale, { name }, missing, loading] of [
      ['ko', labKo, '해당 페이지를 찾을 수 없습니다.', '불러오는 중입니다.'],
      ['en', labEn, 'The page could not be found.', 'Loading.'],
    ] as const) {
      isAwaited = false;
      await page.goto('/docs/privacy');
      await page.evaluate((chosen) => localStorage.setItem('locale', chosen), locale);
      await page.goto('/nowhere');
      await heading(missing).waitFor();
      await expect.poll(() => page.locator('h1').count()).toBe(1);
      await page.goto('/login');
      await heading('Login').waitFor();
      await lab(name).waitFor();
      await expect.poll(() => page.title()).toBe(`Login · ${name}`);
      isAwaited = true;
      await page.goto('/test', { waitUntil: 'commit' });
      await lab(name).waitFor();
      await page.getByText(loading).waitFor();
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(locale);
    }
  });

  test('PUB-12 /en counts as a choice while there is none, and Home and the name lead to what one reads', async () => {
    const { page } = await open();
    await page.goto('/en');
    await waitForHydration(page);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('locale'))).toBe('en');
    await page.goto('/docs/privacy');
    await page.getByRole('heading', { level: 1, name: 'Privacy notice' }).waitFor();
    await (await menuOf(page)).getByRole('link', { name: 'Home' }).click();
    await page.waitForURL('**/en');
    // Korean by its address, whatever was chosen.
    await page.goto('/ko');
    await waitForHydration(page);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('locale'))).toBe('en');
    const name = page.getByRole('banner').getByRole('link', { name: labKo.name });
    await expect.poll(() => name.getAttribute('href')).toBe('/ko');
  });

  test('PUB-15 menu and contents mark the section that one is in, none else, and scroll there smoothly', async () => {
    const { page } = await open();
    await page.goto('/ko');
    await waitForHydration(page);
    const marked = page.locator('a[aria-current]:not([hreflang])');
    const menu = await menuOf(page);
    await menu.locator('[aria-current=location]').filter({ hasText: '홈' }).waitFor();
    await expect.poll(() => marked.count()).toBe(1);
    await page.evaluate(() => {
      const seen = new Set<number>();
      addEventListener('scroll', () => seen.add(scrollY));
      Object.assign(window, { seen });
    });
    await menu.getByRole('link', { name: '강의' }).click();
    await untilAt(page, 'courses');
    await page.locator('section#courses:focus').waitFor();
    // A jump has one place or two.
    await expect.poll(() => page.evaluate(() => Reflect.get(window, 'seen').size)).toBeGreaterThan(5);
    await expect
      .poll(() => marked.evaluateAll((all) => [...new Set(all.map((a) => a.getAttribute('href')))]))
      .toEqual(['#courses']);
  });

  test('PUB-16 without a connection a screen says so in its own place, and comes with the connection', async () => {
    const { page, context } = await open();
    let loads = 0;
    await page.goto('/ko');
    await waitForHydration(page);
    await page.waitForLoadState('networkidle');
    page.on('load', () => loads++);
    await context.setOffline(true);
    const menu = await menuOf(page);
    await menu.getByRole('link', { name: '강의' }).click();
    await untilAt(page, 'courses');
    await page.locator('#people').getByText('윤서준').waitFor();
    await menuOf(page);
    await menu.getByRole('link', { name: '로그인' }).click();
    await page.getByRole('alert').getByText('인터넷 연결을 확인해 주세요').waitFor();
    await page.getByRole('banner').getByRole('link', { name: labKo.name }).waitFor();
    await (await menuOf(page)).getByRole('link', { name: '홈' }).waitFor();
    await page.keyboard.press('Escape');
    await context.setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Login' }).waitFor();
    expect(loads).toBe(0);
  });

  test('PUB-9 PUB-16 who only reads, with the pointer at rest over the page, runs no script of the app', async () => {
    const { page } = await open();
    const scripts: string[] = [];
    page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
    await page.mouse.move(300, 300);
    await page.goto('/ko');
    // Every section is laid out by then, each of which the browser tells the pointer of, as being over it and as moved.
    await page.waitForSelector('html:not(.in-steps)');
    await page.waitForLoadState('networkidle');
    expect(scripts).toEqual([]);
    await page.mouse.move(301, 300);
    await waitForHydration(page);
    expect(scripts).not.toEqual([]);
  });

  test('PUB-16 PUB-21 where one has scrolled to before the app comes, one stays', async () => {
    const { page } = await open({ width: 390, height: 844 });
    for (const path of ['/ko', '/en', '/en/publications']) {
      const release = Promise.withResolvers<void>();
      await page.route(SCRIPTS, async (route) => {
        await release.promise;
        await route.continue();
      });
      // The app may be on its way already.
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      await page.waitForSelector('html:not(.in-steps)');
      await page.evaluate(() => scrollTo(0, 3000));
      release.resolve();
      await waitForHydration(page);
      // The router has its say with the first frame after that.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
      await expect.poll(() => page.evaluate(() => scrollY), { message: path }).toBe(3000);
      await page.unroute(SCRIPTS);
    }
  });

  test('PUB-16 PUB-2 without a connection a link or a language leaves the page as it is, and says why', async () => {
    const { page, context } = await open();
    const about = page.locator('#about').getByText(aboutKo.paragraphs[0] ?? '');
    const lost = async () => {
      await context.setOffline(true);
      await page.waitForFunction(() => !navigator.onLine);
    };
    await page.goto('/ko');
    await lost();
    for (const name of ['EN', '논문 전체 보기 (26)']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('alert').getByText('인터넷 연결을 확인해 주세요').waitFor();
    }
    await context.setOffline(false);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    // What came with the connection would break off the next visit.
    await page.waitForLoadState('networkidle');
    // It may have come with the connection, and then answers from the browser's cache.
    await page.route('**/assets/prerendered-parts-*.js', (route) => route.abort());
    await page.goto('/ko');
    await waitForHydration(page);
    await lost();
    await page.getByRole('link', { name: 'EN', exact: true }).click();
    await page.getByRole('alert').getByText('인터넷 연결을 확인해 주세요').waitFor();
    await expect.poll(() => about.isVisible()).toBe(true);
    expect(new URL(page.url()).pathname).toBe('/ko');
    await context.setOffline(false);
    await page.unroute('**/assets/prerendered-parts-*.js');
    await page.getByRole('link', { name: 'EN', exact: true }).click();
    await page.waitForURL('**/en');
    await page
      .locator('#about')
      .getByText(aboutEn.paragraphs[0] ?? '')
      .waitFor();
  });

  test('PUB-16 NAV-8 the page of unknown addresses promises nothing that needs the app before it is there', async () => {
    const { page } = await open();
    await page.route(SCRIPTS, (route) => route.abort());
    await page.goto('/nowhere');
    await page.getByRole('heading', { level: 1, name: '해당 페이지를 찾을 수 없습니다.' }).waitFor();
    expect(await page.getByText(/초 후에/).count()).toBe(0);
    expect(await page.getByRole('button', { name: '이 페이지에 머무르기' }).isVisible()).toBe(false);
    await page.unroute(SCRIPTS);
    // A move while the last try is still failing asks for nothing, the next one does.
    let x = 300;
    await expect
      .poll(async () => {
        await page.mouse.move(x++, 300);
        return await page.getByText(/초 후에/).count();
      })
      .toBe(1);
  });

  test('PUB-17 text of twice the size on a phone, 320 pixels and paper cover and cut nothing off', async () => {
    const { page } = await open({ width: 360, height: 740 });
    const overlaps = () =>
      page.evaluate(() => {
        const [bar, main] = [document.querySelector('header'), document.querySelector('h1')].map((element) =>
          element?.getBoundingClientRect(),
        );
        const boxes = [...document.querySelectorAll('header :is(button, a)')]
          .map((a) => a.getBoundingClientRect())
          .filter(({ width }) => width > 0);
        const isBeside = boxes.every((box, at) => at === 0 || box.left >= (boxes[at - 1]?.right ?? 0) - 1);
        const isInside = boxes.every(
          (box) => box.right <= innerWidth && box.bottom <= (bar?.bottom ?? 0) + 1,
        );
        const isBelow = (main?.top ?? 0) >= (bar?.bottom ?? 0);
        const isNarrow = document.documentElement.scrollWidth <= innerWidth;
        return { isBeside, isInside, isBelow, isNarrow };
      });
    const nothing = { isBeside: true, isInside: true, isBelow: true, isNarrow: true };
    for (const path of ['/ko', '/en', '/login', '/login without Google']) {
      if (path.endsWith('Google')) await page.route('**/dev/identity/client*', (route) => route.abort());
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto(path.split(' ', 1).join());
      if (path.endsWith('Google')) await page.locator('a[href="/api/login/redirect"]').waitFor();
      await page.addStyleTag({ content: 'html { font-size: 200% !important }' });
      await expect.poll(overlaps, { message: `${path} at 200 %` }).toEqual(nothing);
      await page.reload();
      await page.setViewportSize({ width: 320, height: 640 });
      await expect.poll(overlaps, { message: `${path} at 320 px` }).toEqual(nothing);
    }
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.getByRole('banner').isVisible()).toBe(false);
  });

  test('PUB-18 address and email are copied, the email stands nowhere before, the telephone is a link', async () => {
    const { page, context } = await open();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/ko');
    await waitForHydration(page);
    const contact = page.locator('#contact');
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    expect(await page.content()).not.toContain(labKo.email);
    await contact.getByRole('button', { name: '이메일 복사' }).click();
    await contact.getByText('복사했습니다').waitFor();
    await expect.poll(copied).toBe(labKo.email);
    await contact.getByRole('button', { name: '주소 복사' }).click();
    await contact.getByText('복사했습니다').nth(1).waitFor();
    await expect.poll(copied).toBe(labKo.address.join(', '));
    const phone = contact.getByRole('link', { name: labKo.phone });
    await expect.poll(() => phone.getAttribute('href')).toBe(telephoneAddress(labKo.phone));
    await expect.poll(() => page.getByRole('contentinfo').count()).toBe(1);
  });
});
