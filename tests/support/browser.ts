import { mkdirSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { onTestFinished, TestRunner } from 'vitest';
import { launchChromium } from './chromium.ts';

export type Visit = { page: Page; context: BrowserContext; problems: string[] };

/** One process for all the visits of a worker. */
let browser: Browser | undefined;
export const closeBrowser = async () => await browser?.close();

/**
 * A visitor in a real Chromium who was never there before: cookies, storage and cache are their own, and are gone
 * when the running test is over. `problems` collects console errors and uncaught exceptions. A test that fails
 * leaves a screenshot in test-results, and with `--retry=1`, as in CI, a trace of its second try.
 */
export async function visit(
  origin: string,
  name: string,
  viewport = { width: 1280, height: 800 },
): Promise<Visit> {
  if (!browser?.isConnected()) browser = await launchChromium();
  const context = await browser.newContext({ baseURL: origin, viewport });
  // To record what each step found of the page costs a fifth of the run.
  const isTraced = (TestRunner.getCurrentTest()?.result?.retryCount ?? 0) > 0;
  if (isTraced) await context.tracing.start({ snapshots: true });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') {
      mkdirSync('test-results', { recursive: true });
      await page.screenshot({ path: `test-results/${name}.png` });
      if (isTraced) await context.tracing.stop({ path: `test-results/${name}.zip` });
    }
    // What is held back still waits for an answer that does not come any more.
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });
  return { page, context, problems };
}
