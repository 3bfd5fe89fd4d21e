import type { Page } from 'playwright-core';
import * as z from 'zod';

/** Signs in through the login page's button, as a user does, and waits until the page has gone on. */
export async function signInAs(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await page.getByRole('button', { name: email }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
}

/** Is signed in before the first page opens: for tests of what comes after it. */
export async function arriveAs(page: Page, email: string): Promise<void> {
  const { request } = page.context();
  const asked = await request.post('/dev/identity/credential', { data: { email, claims: {} } });
  const { credential } = z.object({ credential: z.string() }).parse(await asked.json());
  const answer = await request.post('/api/login', { headers: { authorization: `Bearer ${credential}` } });
  if (!answer.ok()) throw new Error(`${email} could not sign in: ${answer.status()}`);
}

/** Ends the session behind the page's back. One Tap forgets the account too: it would sign it in again at once. */
export async function loseSession(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.removeItem('dev-identity-account'));
  await page.context().clearCookies();
}
