import type { Page } from 'playwright-core';
import * as z from 'zod';

/** Signs in with the login page's button, as a user does, and waits for the next page. */
export async function signInAs(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await page.getByRole('button', { name: email }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
}

/** Signs in without the login page, before the first page opens. */
export async function signInDirectly(page: Page, email: string): Promise<void> {
  const { request } = page.context();
  const asked = await request.post('/dev/identity/credential', { data: { email, claims: {} } });
  const { credential } = z.object({ credential: z.string() }).parse(await asked.json());
  const answer = await request.post('/api/login', { headers: { authorization: `Bearer ${credential}` } });
  if (!answer.ok()) throw new Error(`${email} could not sign in: ${answer.status()}`);
}

/** Ends the session without the page. Also removes One Tap's account, which would sign in again at once. */
export async function removeSession(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.removeItem('dev-identity-account'));
  await page.context().clearCookies();
}
