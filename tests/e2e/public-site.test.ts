import { firstVersion } from '#content/first-version';
import { localize } from '#contract/content';
import { obfuscateEmail } from '#contract/people-groups';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitForHydration } from '../support/hydration.ts';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { shareOrAll } from '../support/counts.ts';
import { signInAs } from '../support/sign-in-page.ts';
import { sharedStack } from '../support/shared-stack.ts';

const aboutEn = localize(firstVersion.about, 'en');
const aboutKo = localize(firstVersion.about, 'ko');
const labEn = localize(firstVersion.lab, 'en');
const labKo = localize(firstVersion.lab, 'ko');
const peopleEn = localize(firstVersion.people, 'en');
const peopleKo = localize(firstVersion.people, 'ko');
const { news } = firstVersion;
const { projects } = firstVersion;

const MAP = 'https://www.openstreetmap.org/**';

const stack = sharedStack('demo');

/** What a reader without JavaScript finds, tags and entities aside. */
async function textOf(path: string): Promise<{ status: number; html: string; text: string }> {
  const answer = await fetch(stack.origin + path, { redirect: 'manual' });
  const html = await answer.text();
  const text = html
    .replaceAll(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');
  return { status: answer.status, html, text };
}

describe('the HTML that the server answers with', () => {
  test.each([
    ['/', 'ko', labKo, aboutKo, peopleKo],
    ['/ko', 'ko', labKo, aboutKo, peopleKo],
    ['/en', 'en', labEn, aboutEn, peopleEn],
  ] as const)(
    'PUB-9 PUB-1 %s is whole, in its language, without a redirect',
    async (path, locale, lab, about, people) => {
      const { status, html, text } = await textOf(path);
      expect(status).toBe(200);
      expect(html).toContain(`<html lang="${locale}">`);
      for (const id of ['title', 'about', 'people', 'courses', 'contact']) {
        expect(html).toContain(`<section id="${id}"`);
      }
      for (const words of [
        lab.name,
        lab.lead,
        ...about.paragraphs,
        obfuscateEmail(lab.email),
        ...lab.address,
      ])
        expect(text).toContain(words);
      for (const [at, topic] of about.topics.entries()) {
        for (const words of [topic.name, aboutEn.topics[at]?.name, topic.text]) expect(text).toContain(words);
      }
      for (const { name, position, department } of [...people.professors, ...people.graduate_alumnis]) {
        for (const words of [name, position, department]) expect(text).toContain(words);
      }
      expect(html).toContain('rel="canonical"');
      expect(html).toContain('property="og:image"');
      expect(html.match(/rel="alternate" hreflang=/g)).toHaveLength(3);
      for (const link of [
        'href="/en"',
        'href="/ko"',
        '#about',
        'https://map.naver.com/',
        'https://map.kakao.com/',
      ]) {
        expect(html).toContain(link);
      }
    },
  );

  test('PUB-4 PUB-6 holds no plain address and no undergraduate, in no file of the site', async () => {
    const hidden = [peopleKo, peopleEn].flatMap(
      ({ undergraduate_students: now, undergraduate_alumnis: before }) => now.concat(before),
    );
    const addresses = [peopleKo, peopleEn]
      .flatMap((people) => Object.values(people).flat())
      .flatMap(({ email }) => (email === '' ? [] : email));
    expect(hidden.length).toBeGreaterThan(0);
    for (const file of readdirSync('web/dist', { recursive: true, encoding: 'utf8' })) {
      if (!/\.(html|js|css|xml|txt|md|svg|webmanifest)$/.test(file)) continue;
      const content = readFileSync(join('web/dist', file), 'utf8');
      for (const { name } of hidden) expect(content, file).not.toContain(name);
      for (const address of addresses) expect(content, file).not.toContain(address);
    }
    for (const path of ['/', '/ko', '/en', '/nowhere', '/login']) {
      expect((await textOf(path)).html, path).not.toMatch(/mailto:|[a-z0-9]@[a-z0-9]/i);
    }
  });

  test('PUB-9 sitemap, robots, manifest, icons and picture are there; unknown addresses are 404', async () => {
    for (const [path, type] of [
      ['/sitemap.xml', 'xml'],
      ['/robots.txt', 'text/plain'],
      ['/manifest.webmanifest', 'manifest'],
      ['/share.png', 'image/png'],
      ['/share-en.png', 'image/png'],
      ['/favicon.ico', 'icon'],
      ['/icon-192.png', 'image/png'],
      ['/icon-512.png', 'image/png'],
      ['/apple-touch-icon.png', 'image/png'],
    ] as const) {
      const answer = await fetch(stack.origin + path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get('content-type')).toContain(type);
    }
    const unknown = await textOf('/nowhere');
    expect(unknown.status).toBe(404);
    expect(unknown.text).toContain('해당 페이지를 찾을 수 없습니다.');
    expect(unknown.html).toContain('content="noindex"');
    expect((await textOf('/app')).status).toBe(302);
  });

  test('PUB-25 each project has a page, and all the news have one, in either language; nothing else has', async () => {
    const [project] = projects;
    const [latest] = news;
    if (!project || !latest) throw new Error('the content has no project or no news');
    for (const locale of ['ko', 'en'] as const) {
      const before = locale === 'ko' ? '' : '/en';
      const main = await textOf(`/${locale}`);
      const { status, html, text } = await textOf(`${before}/projects/city-garden-network`);
      expect(status).toBe(200);
      const people = project.people.map((name) => name[locale]);
      for (const words of [project.name[locale], project.funder[locale], project.text[locale], ...people])
        expect(text).toContain(words);
      for (const words of [project.link, project.code, project.data, '/pictures/city-garden', '10.5555/'])
        expect(html).toContain(words);
      const all = await textOf(`${before}/news`);
      for (const item of news) expect(all.text).toContain(item.text[locale]);
      expect(main.text).not.toContain(news.at(-1)?.text[locale]);
      for (const link of ['/news', '/projects/city-garden-network'])
        expect(main.html).toContain(`href="${before}${link}"`);
    }
    const { html: sitemap } = await textOf('/sitemap.xml');
    for (const path of ['/news', '/en/projects/power-through-walls'])
      expect(sitemap).toContain(`${path}</loc>`);
    for (const path of ['/projects/nothing', '/projects', '/ko/news', '/en/news/1'])
      expect([path, (await textOf(path)).status]).toEqual([path, 404]);
  });

  test('PUB-21 PUB-18 what the lab adds of itself is in the HTML, and its pictures and feeds are there', async () => {
    const { html, text } = await textOf('/en');
    const said = [...news.slice(0, 3).map(({ text }) => text), ...projects.map(({ name }) => name)];
    for (const { en } of said) expect(text).toContain(en);
    expect(text).toContain(aboutEn.result?.figure);
    expect(html).toContain('href="tel:+82-2-555-0142"');
    expect(html).toContain('href="https://orcid.org/');
    const pictures = new Set(html.match(/\/pictures\/[\w.-]+/g));
    expect(pictures.size).toBeGreaterThan(10);
    for (const path of [...pictures, '/news.atom', '/en/news.atom']) {
      const answer = await fetch(stack.origin + path);
      expect([path, answer.status]).toEqual([path, 200]);
      const type = path.endsWith('.atom') ? 'application/atom+xml' : `image/${path.split('.').at(-1)}`;
      expect(answer.headers.get('content-type'), path).toContain(type);
    }
    const drawn = html.match(/<img [^>]*>/g)?.filter((each) => each.includes('/pictures/')) ?? [];
    for (const img of drawn) expect(img).toMatch(/alt="[^"]*".* width="\d+" height="\d+"/);
  });
});

/** Sums every layout shift of the page, from its first paint on. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ('value' in entry) sum += Number(entry.value);
    }).observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, { shifts: () => sum });
  });
  return () => page.evaluate(() => Number(Reflect.get(window, 'shifts')()));
}

/** From then on copies answer: on a busy machine the API may be late for the first page. */
const untilDelivered = async () =>
  await expect
    .poll(async () => (await textOf('/ko')).html)
    .toMatch(/id="delivered">\{"courses":.*"plant":\{/);

const courses = (page: Page) => page.locator('#courses li').first();

describe.skipIf(!hasBrowser)('the main page in a real browser', () => {
  test.each(shareOrAll(2, ['/', '/ko', '/en', '/#courses', '/en#contact']))(
    'PUB-1 PUB-9 %s wakes without a console error and nothing moves',
    async (path) => {
      const { page, problems } = await visit(stack);
      await page.route(MAP, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
      const shifts = await watchShifts(page);
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await untilDelivered();
      await page.goto(path);
      await waitForHydration(page);
      await page.waitForLoadState('networkidle');
      expect(await shifts()).toBe(0);
      expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([]);
      expect(problems).toEqual([]);
    },
  );

  test('PUB-12 PUB-2 a remembered language is shown at /, no frame shows the other one, and nothing moves', async () => {
    const { page, problems } = await visit(stack);
    const shifts = await watchShifts(page);
    await page.addInitScript(() => {
      localStorage.setItem('locale', 'en');
      const look = () => {
        if (/연구실/.test(document.body?.innerText ?? '')) console.error('a Korean frame');
        requestAnimationFrame(look);
      };
      look();
    });
    await page.goto('/#people');
    await page.waitForURL('**/en#people');
    await page.getByRole('heading', { level: 1, name: labEn.name }).waitFor();
    await courses(page).waitFor();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en');
    expect(await shifts()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('PUB-2 the language changes in place, with the address, and is remembered', async () => {
    const { page } = await visit(stack, { at: '/ko' });
    await waitForHydration(page);
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    await page.getByRole('link', { name: 'EN', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: labEn.name }).waitFor();
    await page
      .locator('#people')
      .getByText(peopleEn.professors[0]?.name ?? '')
      .waitFor();
    await page.waitForURL('**/en');
    await expect.poll(() => page.evaluate(() => Reflect.get(window, 'isSamePage'))).toBe(true);
    await page.goto('/');
    await page.getByRole('heading', { level: 1, name: labEn.name }).waitFor();
  });

  test('PUB-25 alumni say where they went, and an applicant from abroad is answered', async () => {
    for (const [path, locale] of [
      ['/ko', 'ko'],
      ['/en', 'en'],
    ] as const) {
      const { text } = await textOf(path);
      const { people, join, group, lists, ways } = localize(firstVersion, locale);
      const said = [
        ...people.graduate_alumnis.flatMap(({ years, after }) => [years, after]),
        ...(join?.abroad.map(({ answer }) => answer) ?? []),
        ...group.map(({ caption }) => caption),
        ...lists.flatMap(({ items }) => items.map(({ what }) => what)),
        ...ways.map((way) => way.text),
      ];
      expect(said.length).toBeGreaterThan(9);
      for (const words of said) expect(text, path).toContain(words);
    }
  });

  test.each(
    shareOrAll(1, [
      ['/#join', '#join', '**/en#join'],
      ['/publications#paper-lim2022budget', '#paper-lim2022budget', '**/en/publications#paper-lim2022budget'],
    ] as const),
  )(
    'PUB-26 at %s the first tap on EN keeps place and hash, and nothing is reloaded',
    async (at, target, address) => {
      const { page, problems } = await visit(stack);
      await page.route(MAP, (route) => route.abort());
      await page.goto(at);
      await page.evaluate(() => Object.assign(window, { isSamePage: true }));
      expect(await page.evaluate(() => scrollY)).toBeGreaterThan(600);
      const top = () => page.locator(target).evaluate((each) => each.getBoundingClientRect().top);
      const before = await top();
      await page.getByRole('link', { name: 'EN', exact: true }).click();
      await page.waitForURL(address);
      await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('en');
      await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(40);
      expect(await page.evaluate(() => Reflect.get(window, 'isSamePage'))).toBe(true);
      expect(problems).toEqual([]);
    },
  );

  test('PUB-24 what is claimed leads to its source, days count from a day, and no map is invented', async () => {
    const { page } = await visit(stack);
    await page.route(MAP, (route) => route.abort());
    await page.goto('/ko');
    const since = await page.locator('time[data-days]').getAttribute('datetime');
    const days = Math.floor((Date.now() + 9 * 3_600_000 - Date.parse(since ?? '')) / 86_400_000);
    await page.getByText(`${days.toLocaleString('ko')}일`, { exact: true }).waitFor();
    await page.locator('#contact').getByText('37.5444° N').waitFor();
    await page.locator('#contact').getByText('3번 출구').waitFor();
    await page.locator('#title').getByRole('link', { name: 'Journal of Tiny Systems' }).click();
    await page.waitForURL('**/publications#paper-yoon2026windowsill');
    await page.locator('#paper-yoon2026windowsill').waitFor();
    expect(await (await fetch(`${stack.origin}/en/news.atom`)).text()).toContain('/en/publications#paper-');
    await page.goto('/en');
    await page.getByText('High school summer camp').first().waitFor();
  });

  test.each(shareOrAll(1, ['people', 'courses', 'contact']))(
    'PUB-1 NAV-1 /#%s opens there and stays there',
    async (id) => {
      const { page } = await visit(stack);
      await page.route(MAP, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
      const top = () =>
        page.evaluate((id) => document.getElementById(id)?.getBoundingClientRect().top ?? NaN, id);
      await page.goto(`/#${id}`);
      await waitForHydration(page);
      await courses(page).waitFor();
      // Which has the focus by then: it does not glide there.
      await page.locator(`#${id}:focus`).waitFor();
      const behaviour = () => page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior);
      expect(await behaviour()).toBe('auto');
      const height = page.viewportSize()?.height ?? 0;
      await expect.poll(top).toBeLessThan(height);
      await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(height);
    },
  );

  test('NAV-1 the contents lead to a section, smoothly unless less motion is wanted', async () => {
    const { page } = await visit(stack);
    const behaviour = () => page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior);
    await page.goto('/ko');
    await expect.poll(behaviour).toBe('auto');
    await page.keyboard.press('Tab');
    await expect.poll(behaviour).toBe('smooth');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect.poll(behaviour).toBe('auto');
    await waitForHydration(page);
    await page.locator('#title').getByRole('link', { name: '구성원' }).click();
    await page.waitForURL('**/ko#people');
    await page.waitForFunction(
      () => (document.getElementById('people')?.getBoundingClientRect().top ?? 999) < 200,
    );
  });

  test('PUB-9 is readable and leads everywhere with JavaScript off', async () => {
    const { context } = await visit(stack);
    const browser = context.browser();
    if (!browser) throw new Error('the browser is gone');
    const plain = await browser.newContext({ javaScriptEnabled: false, baseURL: stack.origin });
    const page = await plain.newPage();
    await untilDelivered();
    await page.goto('/ko');
    await page.getByText(labKo.lead).waitFor();
    await page.locator('#courses').getByText('운영체제').first().waitFor();
    await page.locator('#courses summary').click();
    await page.locator('#courses h3').last().waitFor();
    await page.getByText(/지금 \d+ %/).waitFor();
    await page.getByRole('button', { name: '메뉴 열기' }).click();
    await page.getByRole('dialog', { name: '메뉴' }).getByRole('link', { name: '로그인' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('link', { name: '네이버지도에서 보기' }).isVisible()).toBe(true);
    await page.locator('#title').getByRole('link', { name: '연락처' }).click();
    await page.waitForURL('**/ko#contact');
    await page.getByRole('link', { name: 'EN', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: labEn.name }).waitFor();
    await plain.close();
  });

  test('PUB-13 PUB-7 a failing list of courses is a toast in the language one reads; trying again helps', async () => {
    const { page } = await visit(stack);
    await page.route('**/api/courses', (route) => route.fulfill({ status: 500, json: {} }));
    // As the edge sends it while the API fails.
    await page.route('**/en', (route) => route.fulfill({ path: 'web/dist/en.html' }));
    await page.goto('/en');
    await waitForHydration(page);
    await page.getByText('Server error', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByText('The courses could not be loaded.').waitFor();
    await page
      .locator('#people')
      .getByText(peopleEn.professors[0]?.name ?? '')
      .waitFor();
    await page.unroute('**/api/courses');
    await page.getByRole('button', { name: 'Try again' }).click();
    await courses(page).waitFor();
  });

  test('PUB-7 the newest courses come first, with their targets; older ones show when asked for', async () => {
    const { page } = await visit(stack, { at: '/ko' });
    await page.locator('#courses h3').first().waitFor();
    const years = await page.locator('#courses h3').allTextContents();
    expect(years).toEqual(years.toSorted().toReversed());
    for (const target of ['3학년', 'Masters Course', 'Masters & PhD Course']) {
      await expect
        .poll(() => page.locator('#courses').getByText(target, { exact: true }).count())
        .toBeGreaterThan(0);
    }
    await waitForHydration(page);
    const oldest = page.getByRole('heading', { level: 3, name: years.at(-1) ?? '', includeHidden: true });
    await expect.poll(() => oldest.isVisible()).toBe(false);
    const fold = page.locator('#courses summary');
    await fold.getByText('이전 강의 모두 보기').click();
    await oldest.waitFor();
    await fold.getByText('이전 강의 접기').waitFor();
    await expect.poll(() => fold.evaluate((summary) => summary === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await oldest.waitFor({ state: 'hidden' });
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => oldest.isVisible()).toBe(true);
  });

  test('PUB-19 the line moves when a reading comes while one looks, and asks for nothing while nobody does', async () => {
    const { page, problems } = await visit(stack);
    await page.clock.install();
    await untilDelivered();
    await page.goto('/ko');
    await waitForHydration(page);
    const paths = page.locator('[data-edge="plant"] figure path');
    const line = paths.last();
    // All of them: where the newest reading was the wettest already, its point stays at the top.
    const shapes = () => paths.evaluateAll((each) => each.map((path) => path.getAttribute('d')));
    const drawn = await shapes();
    let asked = 0;
    await page.route('**/api/plants/public', async (route) => {
      asked += 1;
      const answer = await route.fetch();
      const plant = await answer.json();
      await route.fulfill({ response: answer, json: { ...plant, last: { ...plant.last, percent: 99 } } });
    });
    await expect.poll(() => line.evaluate((path) => getComputedStyle(path).transitionProperty)).toBe('d');
    await page.clock.runFor(61_000);
    await page.getByText('지금 99 %').waitFor();
    expect(await shapes()).not.toEqual(drawn);
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      window.dispatchEvent(new Event('visibilitychange'));
    });
    await page.clock.runFor(300_000);
    expect(asked).toBe(1);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect.poll(() => line.evaluate((path) => getComputedStyle(path).transitionProperty)).toBe('none');
    expect(problems).toEqual([]);
  });

  test('PUB-16 PUB-21 what is drawn stays while the script of what only has to be read cannot be loaded', async () => {
    const { page } = await visit(stack);
    let refused = 0;
    await page.route('**/assets/prerendered-parts-*.js', async (route) => {
      refused++;
      await route.abort();
    });
    await page.goto('/ko');
    await waitForHydration(page);
    await courses(page).waitFor();
    await page.waitForLoadState('networkidle');
    expect(refused).toBe(0);
    const english = page.getByRole('link', { name: 'EN', exact: true });
    await english.hover();
    await english.focus();
    for (const id of ['about', 'people'])
      await expect.poll(() => page.locator(`#${id}`).isVisible()).toBe(true);
    await page.unroute('**/assets/prerendered-parts-*.js');
    await english.click();
    await page
      .locator('#about')
      .getByText(aboutEn.paragraphs[0] ?? '')
      .waitFor();
    expect(refused).toBe(0);
  });

  test('PUB-2 PUB-16 the language waits for what it shows, and nothing is missing meanwhile', async () => {
    const { page } = await visit(stack);
    const asked = Promise.withResolvers<Route>();
    await page.route('**/assets/prerendered-parts-*.js', (route) => asked.resolve(route));
    await page.goto('/ko');
    await waitForHydration(page);
    await page.getByRole('link', { name: 'EN', exact: true }).click();
    const route = await asked.promise;
    await page.locator('a[hreflang=en][aria-busy]').waitFor();
    await expect
      .poll(() =>
        page
          .locator('#about')
          .getByText(aboutKo.paragraphs[0] ?? '')
          .isVisible(),
      )
      .toBe(true);
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('ko');
    await route.continue();
    await page.waitForURL('**/en');
    await expect
      .poll(() =>
        page
          .locator('#about')
          .getByText(aboutEn.paragraphs[0] ?? '')
          .isVisible(),
      )
      .toBe(true);
    await expect.poll(() => page.locator('#people').isVisible()).toBe(true);
  });

  test('PUB-8 nothing of the map is loaded before the visitor is near; without its maker a pin stays', async () => {
    const { page } = await visit(stack);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.route(MAP, (route) => route.abort());
    await page.goto('/ko');
    await waitForHydration(page);
    await courses(page).waitFor();
    expect(asked.filter((url) => !url.startsWith(stack.origin))).toEqual([]);
    await page.locator('#contact').getByText('37.5444° N').scrollIntoViewIfNeeded();
    // What the maker is asked for first. Playwright tells of no request for a favicon.
    await page.locator('#contact img[hidden]').waitFor({ state: 'attached' });
    await expect.poll(() => page.locator('#contact iframe').count()).toBe(0);
    await page.locator('#contact').getByText('37.5444° N').waitFor();
    await expect.poll(() => page.getByRole('link', { name: '카카오맵에서 보기' }).isVisible()).toBe(true);
  });

  test('PUB-6 undergraduates show to a member; a visitor asks the API for nobody', async () => {
    const { page } = await visit(stack);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await untilDelivered();
    await page.goto('/');
    await courses(page).waitFor();
    expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([]);
    await signInAs(page, 'member@lab.test');
    await page.goto('/ko');
    await page.getByText(peopleKo.undergraduate_students[0]?.name ?? '').waitFor();
    expect(await page.locator('body').textContent()).not.toMatch(/[a-z]@hanbit/);
  });
});
