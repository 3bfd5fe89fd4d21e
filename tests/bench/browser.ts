import type { Browser, Page } from 'playwright-core';
import { buildChangedParts } from '../../scripts/build/build.ts';
import { launchChromium } from '../support/chromium.ts';
import { signInAs } from '../support/sign-in-page.ts';
import { startStack, type Stack } from '../support/stack.ts';

export type Visit = { stack: Stack; browser: Browser; page: Page };

/**
 * Runs a bench in a real browser: the product as it is built, without demo data, and a page in which somebody has signed in.
 * @param prepare runs before the browser starts, and before each document of the page
 */
export async function inBrowser(
  email: string,
  use: (visit: Visit) => Promise<void>,
  {
    width = 1280,
    prepare = {},
  }: { width?: number; prepare?: { stack?: (stack: Stack) => void; page?: () => void } } = {},
): Promise<void> {
  await buildChangedParts();
  const stack = await startStack({ DEMO_DATA: 'off', SIMULATOR: 'off' });
  prepare.stack?.(stack);
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ baseURL: stack.origin, viewport: { width, height: 900 } });
    if (prepare.page) await page.addInitScript(prepare.page);
    await signInAs(page, email);
    await use({ stack, browser, page });
  } finally {
    await browser.close();
    await stack.stop();
  }
}
