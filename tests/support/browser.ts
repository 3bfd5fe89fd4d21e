import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, onTestFinished, TestRunner, type RunnerTestCase } from 'vitest';
import { launchChromium } from './chromium.ts';
import { signInDirectly } from './sign-in-page.ts';
import { keepLogsOnFailure, resultsOf, type Stack } from './stack.ts';

export type Visit = { page: Page; context: BrowserContext; problems: string[] };

/** One browser process for all visits of a test worker. */
let browser: Browser | undefined;
export const closeBrowser = async () => await browser?.close();

const VIEWPORT = { width: 1280, height: 800 };

type Beginning = {
  /** The email address to sign in with before the first page opens. */
  as?: string;
  /** The page that is opened first. */
  at?: string;
  viewport?: { width: number; height: number } | undefined;
};

async function arrive(
  stack: Stack,
  { as, at, viewport = VIEWPORT }: Beginning,
): Promise<Visit & { isTraced: boolean }> {
  if (!browser?.isConnected()) browser = await launchChromium();
  const context = await browser.newContext({ baseURL: stack.origin, viewport });
  // A trace makes a test a fifth slower, so only a second try has one.
  const isTraced = (TestRunner.getCurrentTest()?.result?.retryCount ?? 0) > 0;
  if (isTraced) await context.tracing.start({ snapshots: true });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  if (as !== undefined) await signInDirectly(page, as);
  if (at !== undefined) await page.goto(at);
  return { page, context, problems, isTraced };
}

/** Saves a screenshot if the test has failed, and removes the routes that the test has added. */
async function leave({ page, context, isTraced }: Awaited<ReturnType<typeof arrive>>, task: RunnerTestCase) {
  if (task.result?.state === 'fail') {
    const file = `${resultsOf(task)}-${browser?.contexts().indexOf(context)}`;
    await page.screenshot({ path: `${file}.png` });
    if (isTraced) await context.tracing.stop({ path: `${file}.zip` });
  }
  // Requests that the test has held back would cause an error here.
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

/**
 * A new visitor in a real Chromium, with their own cookies, storage and cache until the test ends. `problems`
 * collects console errors and uncaught exceptions. If the test fails, test-results has a screenshot and the
 * output of the stack, and with `--retry=1`, as in CI, a trace of the second try.
 */
export async function visit(stack: Stack, beginning: Beginning = {}): Promise<Visit> {
  keepLogsOnFailure(stack);
  const visitor = await arrive(stack, beginning);
  onTestFinished(async ({ task }) => {
    await leave(visitor, task);
    await visitor.context.close();
  });
  return visitor;
}

/**
 * One visitor for all tests of a file, because a new page takes seconds. Each test begins at an address, to
 * which the running app goes as by a link, without toasts and drafts of the test before. After a failed test,
 * the next test gets a new visitor.
 */
export function sharedVisit(stack: Stack, as: string): (at: string) => Promise<Visit> {
  let shared: Awaited<ReturnType<typeof arrive>> | undefined;
  afterAll(() => shared?.context.close());
  return async (at) => {
    keepLogsOnFailure(stack);
    if (shared === undefined) shared = await arrive(stack, { as, at });
    else await beginAgain(shared, at);
    const visitor = shared;
    onTestFinished(async ({ task }) => {
      await leave(visitor, task);
      if (task.result?.state !== 'fail') return;
      shared = undefined;
      await visitor.context.close();
    });
    return visitor;
  };
}

async function beginAgain({ page, problems }: Visit, at: string): Promise<void> {
  await page.setViewportSize(VIEWPORT);
  const toasts = page.getByRole('region', { name: /알림/ }).getByRole('button', { name: '닫기' });
  while ((await toasts.count()) > 0) await toasts.first().press('Enter');
  // Goes to another screen first, so that open dialogs, choices and typed texts of the last screen are lost.
  await goInApp(page, '/settings');
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.evaluate(() => {
    // Toasts stay open while they have the focus.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    for (const key of Object.keys(localStorage)) if (key.includes('/drafts/')) localStorage.removeItem(key);
  });
  problems.length = 0;
  await goInApp(page, at);
}

/** Goes to an address inside the running app, as a link does. The router needs a step number in the state. */
export async function goInApp(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    const step: unknown = Reflect.get(Object(history.state), '__TSR_index');
    history.pushState({ __TSR_index: Number(step ?? 0) + 1 }, '', to);
  }, path);
}
