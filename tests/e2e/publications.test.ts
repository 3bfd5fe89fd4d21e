import { describe, expect, test } from 'vitest';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { shareOrAll } from '../support/counts.ts';
import { findings } from '../support/findings.ts';
import { sharedStack } from '../support/shared-stack.ts';

const KEY = 'yoon2026garden';

describe.skipIf(!hasBrowser)('the publications', () => {
  const stack = sharedStack('demo');

  test.each(
    shareOrAll(1, [
      ['/en/publications', 'en', 'Publications', 'ko'],
      ['/publications', 'ko', '논문', 'en'],
    ] as const),
  )(
    'PUB-20 at %s stand in the first HTML, by year, other languages marked',
    async (path, locale, name, other) => {
      const { page, context, problems } = await visit(stack, {
        viewport: {
          width: 320,
          height: 800,
        },
      });
      const session = await context.newCDPSession(page);
      await session.send('Emulation.setScriptExecutionDisabled', { value: true });
      expect((await page.goto(path))?.status()).toBe(200);
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(locale);
      await expect.poll(() => page.title()).toContain(`${name} · `);
      const years = (await page.getByRole('heading', { level: 2 }).allTextContents()).map(Number);
      expect(years).toEqual(years.toSorted((one, two) => two - one));
      await expect.poll(() => page.locator(`h3[lang=${other}]`).count()).toBeGreaterThan(0);
      expect(await page.locator(`h3[lang=${locale}]`).count()).toBe(0);
      const publications = page.getByRole('heading', { level: 3 });
      const graph = JSON.parse(
        (await page.locator('script[type="application/ld+json"]').textContent()) ?? '',
      );
      expect(graph['@graph']).toHaveLength(await publications.count());
      // The preprint of an article is a link of it.
      await expect.poll(() => publications.filter({ hasText: /Listen less/i }).count()).toBe(1);
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
      expect(problems).toEqual([]);
    },
  );

  test('PUB-20 shut nobody out; copying gives plain BibTeX, or the text where the browser refuses', async () => {
    const { page, context, problems } = await visit(stack);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/en/publications');
    expect(await findings(page)).toEqual([]);
    const copy = page.getByRole('button', { name: 'Copy BibTeX' }).first();
    await copy.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Copied').first().waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(new RegExp(`^@article\\{${KEY},\\n`));
    expect(copied).not.toMatch(/selected|abstract|pdf/);
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
    });
    await copy.click();
    const text = page.getByRole('textbox', { name: 'Copy BibTeX' });
    await expect.poll(() => text.inputValue()).toBe(copied);
    await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toContain(KEY);
    expect(problems).toEqual([]);
  });

  test('PUB-23 are narrowed by words, year, type, topic and person, and each person’s card leads to theirs', async () => {
    const { page, problems } = await visit(stack, { at: '/ko' });
    await page
      .locator('#people')
      .getByRole('link', { name: /^논문 \d+편$/ })
      .first()
      .click();
    await page.waitForURL('**/publications?person=*');
    const found = page.getByRole('search').getByRole('status');
    const many = async () => await page.getByRole('heading', { level: 3 }).count();
    await found.getByText(/가운데 \d+편/).waitFor();
    await expect.poll(() => page.getByRole('search').getByLabel('구성원').inputValue()).toBe('윤서준');
    const ofOne = await many();
    await page.getByRole('search').getByLabel('연구 주제').selectOption('에너지 하베스팅');
    await expect.poll(many).toBeLessThan(ofOne);
    await page.getByRole('search').getByLabel('종류').selectOption('article');
    await page.getByRole('search').getByLabel('연도').selectOption('2026');
    await found.getByText(/가운데 1편/).waitFor();
    // What is shown can be sent on, and a link may name somebody in the other language.
    expect(new URL(page.url()).searchParams.get('year')).toBe('2026');
    await page.goto('/en/publications?person=윤서준&words=listen');
    await page.getByRole('status').getByText('2 of').waitFor();
    await expect.poll(() => page.getByLabel('Member').inputValue()).toBe('Seojun Yoon');
    await page.getByText('Best Paper Award').waitFor();
    // On a phone the lists wait behind a button, so that the first paper stands on the first screen.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/en/publications');
    const first = await page.getByRole('heading', { level: 3 }).first().boundingBox();
    expect(first?.y).toBeLessThan(640);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Year').selectOption('2022');
    await page.getByRole('button', { name: 'Filters 1', expanded: true }).waitFor();
    expect(problems).toEqual([]);
  });

  test('PUB-23 give a plain citation; each public page has an Open Graph title and address of its own', async () => {
    const { page, context } = await visit(stack, { at: '/en/publications' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const entry = page.getByRole('listitem').filter({ hasText: 'Listen Less' });
    await entry.getByRole('button', { name: 'Copy citation' }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(
        'Aino Ojala, Seojun Yoon (2026). Listen Less: Wake-Up Schedules for Nodes That Harvest Under 10 µW. ' +
          'Proceedings of the 9th Conference on Small Embedded Systems, 33–44. https://doi.org/10.5555/ses.2026.033',
      );
    for (const path of ['/ko', '/en', '/publications', '/en/publications', '/docs/privacy']) {
      const html = await (await fetch(stack.origin + path)).text();
      expect(html, path).toMatch(new RegExp(`property="og:url" content="https://[^/]+${path}"`));
      expect(/og:title" content="([^"]+)/.exec(html)?.[1], path).toBe(/<title>([^<]+)/.exec(html)?.[1]);
    }
  });

  test('PUB-20 are chosen from in About, whence a link leads to all of them', async () => {
    const { page, problems } = await visit(stack, { at: '/' });
    const about = page.locator('#about');
    await about.getByRole('heading', { name: '대표 논문' }).waitFor();
    await expect
      .poll(() => about.getByRole('heading', { level: 4, name: 'A Year in the Soil' }).count())
      .toBe(1);
    await about.getByRole('link', { name: /논문 전체 보기 \(\d+\)/ }).click();
    await page.getByRole('heading', { level: 1, name: '논문' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/publications');
    expect(problems).toEqual([]);
  });
});
