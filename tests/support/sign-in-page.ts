import type { Page } from 'playwright-core';

/** Signs in through the login page's button, as a user does, and waits until the page has gone on. */
export async function signInAs(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await page.getByRole('button', { name: email }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
}

/** Ends the session behind the page's back. One Tap forgets the account too: it would sign it in again at once. */
export async function loseSession(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.removeItem('dev-identity-account'));
  await page.context().clearCookies();
}
