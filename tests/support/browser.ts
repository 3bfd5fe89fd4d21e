import type { Browser, BrowserContext, Page } from 'playwright-core';
import { onTestFinished, TestRunner } from 'vitest';
import { launchChromium } from './chromium.ts';
import { arriveAs } from './sign-in-page.ts';
import { keepLogsOnFailure, resultsOf, type Stack } from './stack.ts';

export type Visit = { page: Page; context: BrowserContext; problems: string[] };

/** One process for all the visits of a worker. */
let browser: Browser | undefined;
export const closeBrowser = async () => await browser?.close();

type Beginning = {
  /** Signed in under this address before the first page opens. */
  as?: string;
  /** The page that is opened first. */
  at?: string;
  viewport?: { width: number; height: number } | undefined;
};

/**
 * A visitor in a real Chromium who was never there before: cookies, storage and cache are their own, and are gone
 * when the running test is over. `problems` collects console errors and uncaught exceptions. A test that fails leaves
 * a screenshot and what the stack printed in test-results, and with `--retry=1`, as in CI, a trace of its second try.
 */
export async function visit(
  stack: Stack,
  { as, at, viewport = { width: 1280, height: 800 } }: Beginning = {},
): Promise<Visit> {
  keepLogsOnFailure(stack);
  if (!browser?.isConnected()) browser = await launchChromium();
  const context = await browser.newContext({ baseURL: stack.origin, viewport });
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
      const file = resultsOf(task);
      const whose = browser?.contexts().indexOf(context);
      await page.screenshot({ path: `${file}-${whose}.png` });
      if (isTraced) await context.tracing.stop({ path: `${file}-${whose}.zip` });
    }
    // What is held back still waits for an answer that does not come any more.
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });
  if (as !== undefined) await arriveAs(page, as);
  if (at !== undefined) await page.goto(at);
  return { page, context, problems };
}
