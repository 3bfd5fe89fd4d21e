import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { signInAs } from '../support/sign-in-page.ts';

describe.skipIf(!hasBrowser)('the token of the button', () => {
  const stack = sharedStack('empty');

  test('SEC-51 names the nonce of this browser, opens one session and is no good to anybody who has read it', async () => {
    const { page, context } = await visit(stack);
    const nonceAnswer = page.waitForResponse('**/api/login/nonce');
    const tokenRequest = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/login');
    await signInAs(page, 'member@lab.test');
    const { nonce } = z.object({ nonce: z.string() }).parse(await (await nonceAnswer).json());
    const token = (await (await tokenRequest).headerValue('authorization')) ?? '';
    const payload: unknown = JSON.parse(
      atob(token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''),
    );
    expect(payload).toMatchObject({ nonce });
    const { value: secret } =
      (await context.cookies()).find(({ name }) => name === '__Host-sign-in-page') ?? {};
    expect(secret).toMatch(/^[\w-]{43}$/);

    const send = async (cookie: string) =>
      (
        await fetch(`${stack.origin}/api/login`, {
          method: 'POST',
          headers: { authorization: token, cookie },
        })
      ).status;
    expect(await send('')).toBe(401);
    expect(await send(`__Host-sign-in-page=${nonce}`)).toBe(401);
    expect(await send(`__Host-sign-in-page=${secret}`)).toBe(401);

    await page.goto('/logout');
    await page.waitForURL(`${stack.origin}/`);
    expect(await send(`__Host-sign-in-page=${secret}`)).toBe(401);
    // The page asks for another one by itself, in the same life of its script.
    await page.getByRole('button', { name: '메뉴 열기' }).click();
    await page.getByRole('link', { name: '로그인' }).click();
    await page.getByRole('button', { name: 'Sign in with Google' }).click();
    await page.getByRole('button', { name: 'member@lab.test' }).click();
    await page.waitForURL(`${stack.origin}/`);
    const later = (await context.cookies()).find(({ name }) => name === '__Host-sign-in-page');
    expect(later?.value).not.toBe(secret);
  });
});
