import type { Page } from 'playwright-core';

/**
 * Touches a page that the build drew, and resolves when the app has taken it over: its elements then carry React's own
 * keys.
 */
export async function untilAwake(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('focusin')));
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('h1') ?? {}).some((key) => key.startsWith('__react')),
  );
}
