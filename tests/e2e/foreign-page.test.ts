import { createServer, type Server } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selected } from '../support/both-databases.ts';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { signInAs } from '../support/sign-in-page.ts';

/** What the attacker would like to see in the log. */
const WORDS = '내가 여기 있었다';

describe.skipIf(!hasBrowser)('a page on another origin, opened by an admin who is signed in', () => {
  const stack = sharedStack('demo');
  let server: Server;
  beforeAll(async () => {
    server = createServer((_, answer) => {
      answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      answer.end('<!doctype html><title>고양이 사진</title>');
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });
  afterAll(() => server.close());

  const foreignOrigin = (host: string) => {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the page has no port');
    return `http://${host}:${address.port}`;
  };

  const logged = () => selected(stack.dataDir, 'SELECT * FROM access_log ORDER BY id');

  /** Everything by which a page can make the browser ask another site without being allowed to. */
  const attack = async (page: Page, addresses: string[]) =>
    await page.evaluate(async (targets) => {
      const over = (element: HTMLElement) =>
        new Promise((resolve) => {
          element.addEventListener('load', resolve);
          element.addEventListener('error', resolve);
          document.body.append(element);
        });
      for (const src of targets) {
        await over(Object.assign(new Image(), { src }));
        await over(Object.assign(document.createElement('script'), { src }));
        await over(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: src }));
        await over(Object.assign(document.createElement('iframe'), { src }));
        for (const mode of ['no-cors', 'cors'] as const)
          await fetch(src, { mode, credentials: 'include' }).catch(() => undefined);
      }
    }, addresses);

  test.each([
    ['a sibling site', '127.0.0.1'],
    ['another site', 'localhost'],
  ])('SEC-57 on %s reads nothing and writes nothing into the log', async (_, host) => {
    const { page } = await visit(stack, { as: 'admin@lab.test' });
    const before = logged();
    const sent: Promise<Record<string, string>>[] = [];
    const statuses = new Set<number>();
    page.on('request', (request) => {
      if (request.url().startsWith(`${stack.origin}/api`)) sent.push(request.allHeaders());
    });
    page.on('response', (response) => {
      if (response.url().startsWith(`${stack.origin}/api`)) statuses.add(response.status());
    });
    await page.goto(foreignOrigin(host));
    const log = `${stack.origin}/api/access_log`;
    const others = ['students', 'users', 'account', 'account/receipts', 'login/sessions', 'health/details'];
    await attack(page, [
      `${log}?person=${encodeURIComponent(WORDS)}`,
      ...others.map((path) => `${stack.origin}/api/${path}`),
    ]);
    // The whole window, as a link or a form without a click.
    await page.evaluate(
      ([action = '', value = '']) => {
        const form = Object.assign(document.createElement('form'), { action });
        form.append(Object.assign(document.createElement('input'), { name: 'person', value }));
        document.body.append(form);
        form.submit();
      },
      [log, WORDS],
    );
    await page.waitForURL(`${log}?**`);
    await expect.poll(() => page.locator('body').innerText()).toContain('"forbidden"');

    // The session of the admin went along: nothing but the page's origin was wrong with it.
    const headers = await Promise.all(sent);
    expect(headers.some(({ cookie }) => cookie?.includes('__Host-session='))).toBe(true);
    expect([...statuses]).toEqual([403]);
    expect(logged()).toEqual(before);
  });

  test('SEC-50 SEC-57 that loads the way back from the provider as pictures keeps nobody from signing in', async () => {
    const { page } = await visit(stack, { at: foreignOrigin('localhost') });
    const back = `${stack.origin}/api/login/callback?code=x&state=x`;
    await attack(
      page,
      Array.from({ length: 12 }, (_, n) => `${back}${n}`),
    );
    await signInAs(page, 'member@lab.test');
    expect(new URL(page.url()).pathname).toBe('/');
  });
});
