import { existsSync, mkdirSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';

const CHROMIUM = '/usr/bin/chromium';

/** Whether a browser is on this machine; `npm test` says so and counts the tests as skipped where there is none. */
export const hasBrowser = existsSync(CHROMIUM);

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export type Visit = { page: Page; context: BrowserContext; problems: string[] };

/** One process for all the visits of a test file. */
let browser: Browser | undefined;
afterAll(() => browser?.close());

/**
 * A visitor in a real Chromium who was never there before: cookies, storage and cache are their own, and are gone
 * when the running test is over. `problems` collects console errors and uncaught exceptions. A test that fails
 * leaves a trace and a screenshot in test-results.
 */
export async function visit(
  origin: string,
  name: string,
  viewport = { width: 1280, height: 800 },
): Promise<Visit> {
  if (!browser?.isConnected()) {
    // Without a language of its own Chromium calls every Korean file "download".
    const env = { ...process.env, LC_ALL: 'C.UTF-8' };
    browser = await chromium.launch({ executablePath: CHROMIUM, args: flags, env });
  }
  const context = await browser.newContext({ baseURL: origin, viewport });
  // What each step found of the page is recorded; a film of it would cost a fifth of the run.
  await context.tracing.start({ snapshots: true });
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
      await context.tracing.stop({ path: `test-results/${name}.zip` });
    }
    await context.close();
  });
  return { page, context, problems };
}
