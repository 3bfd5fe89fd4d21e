import { firstVersion } from '#content/first-version';
import { localize } from '#contract/content';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openLocalD1 } from '../../scripts/database/local-d1.ts';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { waitForHydration } from '../support/hydration.ts';
import { shareOrAll } from '../support/counts.ts';
import { findings } from '../support/findings.ts';
import { signInDirectly } from '../support/sign-in-page.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { words } from '../support/words.ts';

const labEn = localize(firstVersion.lab, 'en');

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

/** Controls of less than 6 mm from corner to corner: 22.7 px. */
const smallControls = (page: Page) =>
  page.locator('a, button, input, select, summary, [tabindex="0"]').evaluateAll((all) =>
    all.flatMap((control) => {
      const { width, height } = control.getBoundingClientRect();
      return width > 1 && Math.hypot(width, height) < 22.7 ? [control.outerHTML] : [];
    }),
  );

/** Korean words that stand on a page in English without saying so. */
const unmarkedKorean = (page: Page) =>
  page.locator('body *:not(script, style, noscript, template)').evaluateAll((all) =>
    all.flatMap((element) =>
      [...element.childNodes].flatMap(({ nodeType, textContent }) => {
        const isKorean = nodeType === Node.TEXT_NODE && /[가-힣]/.test(textContent ?? '');
        return isKorean && element.closest('[lang]')?.getAttribute('lang') !== 'ko' ? [textContent] : [];
      }),
    ),
  );

type Stop = { name: string; isOutlined: boolean; isInOrder: boolean; isSeen: boolean };

/** Where the next Tab leads; undefined at the end of the page. */
async function nextStop(page: Page): Promise<Stop | undefined> {
  await page.keyboard.press('Tab');
  return await page.evaluate(() => {
    const stop = document.activeElement;
    if (!stop || stop === document.body) return undefined;
    const { left, top, right, bottom } = stop.getBoundingClientRect();
    const bar = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
    // In the bar or over it, or in the part of the window that it leaves.
    const isSeen = [0, bar].some((from) => {
      const y = (Math.max(top, from) + Math.min(bottom, innerHeight)) / 2;
      const found = bottom > from && top < innerHeight && document.elementFromPoint((left + right) / 2, y);
      return found && (stop.contains(found) || found.contains(stop));
    });
    const before: unknown = Reflect.get(window, 'lastStop');
    Object.assign(window, { lastStop: stop });
    return {
      name: stop.textContent || stop.outerHTML,
      isOutlined: getComputedStyle(stop).outlineStyle !== 'none',
      isInOrder: !(before instanceof Node) || (before.compareDocumentPosition(stop) & 4) > 0,
      isSeen,
    };
  });
}

/** What WCAG 1.4.12 lets a reader set. */
const WIDE_TEXT = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-bottom: 2em !important; }`;

/** Texts of which an element around them hides a part, and that cannot be scrolled to or read elsewhere. */
const cutTexts = (page: Page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const cut: string[] = [];
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(text);
      const { width, left, right, bottom } = range.getBoundingClientRect();
      if (width <= 1) continue;
      for (let around = text.parentElement; around; around = around.parentElement) {
        const { overflowX, overflowY, clipPath, textOverflow } = getComputedStyle(around);
        // Scrolls, or is for screen readers alone.
        if (/auto|scroll/.test(overflowX + overflowY) || clipPath !== 'none') break;
        // What an ellipsis hides stands in the title, and where the row is opened.
        const isTitled = textOverflow === 'ellipsis' && around.closest('[title]') !== null;
        if (!/hidden|clip/.test(overflowX + overflowY) || isTitled) continue;
        const box = around.getBoundingClientRect();
        if (left < box.left - 1 || right > box.right + 1 || bottom > box.bottom + 1)
          cut.push(text.textContent ?? '');
      }
    }
    return cut;
  });

describe.skipIf(!hasBrowser)('every screen, in a real browser', () => {
  const stack = sharedStack('demo');

  const themes = [
    ['light', 1280],
    ['dark', 360],
  ] as const;

  /** A page in one theme and width, with a look at an address that expects no finding. */
  async function looker(colorScheme: 'light' | 'dark', width: number) {
    const { page } = await visit(stack, { viewport: { width, height: 800 } });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const look = async (path: string, landmark: string | RegExp = /./) => {
      await page.goto(path);
      await page.getByRole('heading', { name: landmark }).first().waitFor();
      await page.waitForLoadState('networkidle');
      expect(await findings(page), path).toEqual([]);
      // Nothing is cut off or scrolls sideways on a phone.
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), {
          message: path,
        })
        .toBe(true);
    };
    return { page, look };
  }

  const views = [
    ['light', 1440],
    ['dark', 360],
    ['dark', 1440],
    ['light', 360],
  ] as const;

  test.each(shareOrAll(1, ['ko', 'en'] as const))(
    'PUB-22 PUB-10 open pages have no finding of axe, best practices included, and no control too small: %s',
    async (locale) => {
      const { page } = await visit(stack);
      await page.addInitScript((chosen) => localStorage.setItem('locale', chosen), locale);
      const before = locale === 'ko' ? '' : '/en';
      const docs = `${before}/docs`;
      const paths = [
        `/${locale}`,
        '/error/401',
        '/login',
        '/nowhere',
        ...words('accessibility privacy staff-guide sensor-protocol').map((name) => `${docs}/${name}`),
        ...words('publications news projects/city-garden-network').map((page) => `${before}/${page}`),
      ];
      // The main page in two themes and widths; of the others some each day, in one each.
      const [main = '', ...others] = paths;
      for (const path of [main, ...shareOrAll(2, others)]) {
        const at = paths.indexOf(path);
        await page.goto(path);
        await page.getByRole('heading').first().waitFor();
        await page.waitForLoadState('networkidle');
        await expect.poll(() => page.locator('html').getAttribute('lang'), { message: path }).toBe(locale);
        const seen = shareOrAll(at === 0 ? 2 : 1, [
          ...views.slice(at % views.length),
          ...views.slice(0, at % views.length),
        ]);
        for (const [colorScheme, width] of seen) {
          const view = `${path} ${colorScheme} ${width}`;
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          await page.setViewportSize({ width, height: 900 });
          expect(await findings(page), view).toEqual([]);
          await expect
            .poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), {
              message: view,
            })
            .toBe(true);
          expect(await smallControls(page), view).toEqual([]);
        }
        expect(await unmarkedKorean(page), path).toEqual([]);
      }
    },
  );

  test.each(shareOrAll(1, themes))(
    'PUB-10 screens behind the login have no accessibility finding: %s, %i px',
    async (...theme) => {
      const { page, look } = await looker(...theme);
      await signInDirectly(page, 'admin@lab.test');
      for (const [path, heading] of shareOrAll(3, managementScreens)) await look(path, heading);
      await page.goto('/manage_scores');
      const classOf20 = Array.from(
        { length: 20 },
        (_, at) => `나린솔${at}\t20260${1000 + at}\t${95 - at * 2}`,
      );
      await page.getByLabel('점수 표', { exact: true }).fill(['이름\t학번\t점수', ...classOf20].join('\n'));
      await page.getByLabel('나린솔9 학점 직접 지정').selectOption('A');
      await page.getByRole('table', { name: '등급별 배정 인원' }).waitFor();
      expect(await findings(page), 'a graded class').toEqual([]);
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
        .toBe(true);
      await page.goto('/manage_users');
      await page.getByRole('button', { name: '송바다 작업' }).click();
      expect(await findings(page), 'menu of a row').toEqual([]);
      await page.getByRole('menuitem', { name: '삭제' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await findings(page), 'confirm dialog').toEqual([]);
      await page.evaluate(() => localStorage.setItem('locale', 'en'));
      await look('/settings', 'Settings');
    },
  );

  test.each(shareOrAll(1, ['ko', 'en'] as const))(
    'PUB-22 Tab goes through the page from top to bottom, and what has the focus is seen: %s',
    async (locale) => {
      const { page } = await visit(stack, { viewport: { width: 360, height: 640 } });
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.goto(`/${locale}`);
      await page.waitForLoadState('networkidle');
      const stops: Stop[] = [];
      for (let stop = await nextStop(page); stop && stops.length < 200; stop = await nextStop(page)) {
        stops.push(stop);
      }
      expect(stops.length).toBeGreaterThan(10);
      expect(stops[0]?.name).toBe(locale === 'ko' ? '본문으로 건너뛰기' : 'Skip to content');
      expect(
        stops.filter(({ isOutlined, isInOrder, isSeen }) => !isOutlined || !isInOrder || !isSeen),
      ).toEqual([]);
      await nextStop(page);
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
    },
  );

  test('PUB-22 at the limits nothing is cut off, covered or moves: 400 %, wide text, forced colours', async () => {
    const { page } = await visit(stack, { viewport: { width: 320, height: 256 } });
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    await signInDirectly(page, 'admin@lab.test');
    // The settings say in words what awaits, beside names that are long already.
    const db = openLocalD1(stack.dataDir);
    for (let bridge = 0; bridge < 123; bridge++)
      db.prepare("INSERT INTO alerts (key, kind, name, since) VALUES (?, 'bridge', ?, 0)").run(
        `bridge:${bridge}`,
        String(bridge),
      );
    db.close();
    for (const path of [
      '/settings',
      ...shareOrAll(3, words('/ko /manage_plants /manage_students /en /manage_health /manage_account')),
    ]) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      await page.addStyleTag({ content: WIDE_TEXT });
      // A long list of courses is folded.
      for (const button of await page.locator('#courses button').all()) await button.click();
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), {
          message: path,
        })
        .toBe(true);
      expect(await cutTexts(page), path).toEqual([]);
      expect(await page.evaluate(() => document.getAnimations().length), path).toBe(0);
      // What is chosen by its ground alone, and what is pressed.
      for (const chosen of await page
        .locator('[role=tab][aria-selected=true], label:has(> .sr-only:checked)')
        .all()) {
        const ground = await chosen.evaluate((element) => getComputedStyle(element).backgroundColor);
        expect(ground, path).not.toBe(
          await page.evaluate(() => getComputedStyle(document.body).backgroundColor),
        );
      }
    }
  });

  test('PUB-22 PUB-13 the statement is reached from the footer and changes its language in place', async () => {
    const { page } = await visit(stack);
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
    const pathname = () => new URL(page.url()).pathname;
    await page.goto('/');
    await page.getByRole('link', { name: '웹 접근성' }).click();
    await heading('웹 접근성 안내');
    await waitForHydration(page);
    await page.evaluate(() => Object.assign(window, { stillHere: true }));
    await page.getByRole('link', { name: 'EN', exact: true }).click();
    await heading('Accessibility');
    await expect
      .poll(async () => [await page.title(), pathname()])
      .toEqual([`Accessibility · ${labEn.name}`, '/en/docs/accessibility']);
    await expect.poll(() => page.evaluate(() => 'stillHere' in window)).toBe(true);
    await expect.poll(() => page.locator('.doc > div').getAttribute('lang')).toBe('en');
    await page.goto('/en');
    await page.getByRole('link', { name: 'Accessibility' }).click();
    await heading('Accessibility');
    expect(pathname()).toBe('/en/docs/accessibility');
    await page.getByRole('link', { name: 'KO', exact: true }).click();
    await heading('웹 접근성 안내');
    expect(pathname()).toBe('/docs/accessibility');
    const answer = await fetch(`${stack.origin}/en/docs/accessibility`, { redirect: 'manual' });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toMatch(/<html lang="en">[^]*<h1[^>]*>Accessibility</);
  });

  test('PUB-16 PUB-18 a press that comes before the page is awake does its work when it is', async () => {
    const { page, context } = await visit(stack);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
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
    const contact = page.locator('#contact');
    await contact.getByRole('button', { name: '주소 복사' }).press('Enter');
    expect(await contact.getByText('복사했습니다').count()).toBe(0);
    await page.evaluate(() => dispatchEvent(new Event('wake')));
    await contact.getByText('복사했습니다').waitFor();
  });

  test('PUB-10 NAV-1 the menu opens, moves and closes by keyboard alone', async () => {
    const { page } = await visit(stack, { at: '/' });
    const toggle = page.getByRole('button', { name: /메뉴/ });
    await toggle.focus();
    await page.keyboard.press('Enter');
    const menu = page.getByRole('dialog');
    await menu.waitFor();
    await expect.poll(() => menu.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    for (let step = 0; step < 20; step++) {
      await page.keyboard.press('Tab');
      // In turn with the browser's own controls, when nothing of the page has the focus.
      const isInside = await menu.evaluate(
        (element) => element.contains(document.activeElement) || document.activeElement === document.body,
      );
      expect(isInside).toBe(true);
    }
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    await expect.poll(() => toggle.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('PUB-10 what opens selects no stored text and focuses nothing that destroys; a new record begins in its first empty field', async () => {
    const { page } = await visit(stack, { as: 'admin@lab.test' });
    const focused = () =>
      page.evaluate(() => {
        const focus = document.activeElement;
        if (focus === document.body || focus?.matches('[data-destructive]')) return focus.outerHTML;
        return focus instanceof HTMLInputElement
          ? `${focus.name}${focus.value}`
          : (focus?.getAttribute('role') ?? focus?.tagName);
      });
    const start = async (name: string) => await page.getByRole('button', { name }).first().press('Enter');
    for (const at of ['/manage_students', '/manage_account', '/manage_courses', '/manage_users']) {
      await page.goto(at);
      const menus = page.getByRole('button', { name: / 작업$/ });
      await menus.first().waitFor();
      for (const menu of (await menus.all()).slice(0, 5)) {
        await menu.press('Enter');
        await expect.poll(focused).toMatch(/^menu(item)?$/);
        await page.keyboard.press('Escape');
      }
    }
    for (const [at, first, item] of [
      ['/manage_students', '작업', '수정'],
      ['/manage_account', '작업', '수정'],
      ['/manage_plants', '설정', undefined],
      ['/manage_courses', '작업', '수정'],
    ] as const) {
      await page.goto(at);
      await start(first);
      if (item !== undefined) await page.getByRole('menuitem', { name: item }).press('Enter');
      await expect.poll(focused).toMatch(/^(dialog|FORM)$/);
    }
    await page.goto('/manage_students');
    await start('학생 추가');
    await expect.poll(focused).toBe('id');
    await page.goto('/manage_account');
    await start('여러 건 선택');
    await expect.poll(focused).toBe('BUTTON');
  });
});
