import type { Page } from 'playwright-core';

/**
 * Starts the app on a page that the build has rendered, by a focus event. Resolves when React has taken over:
 * the elements then have React's keys.
 */
export async function waitForHydration(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('focusin')));
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('h1') ?? {}).some((key) => key.startsWith('__react')),
  );
}
