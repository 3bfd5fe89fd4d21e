import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, onTestFinished, TestRunner, type RunnerTestCase } from 'vitest';
import { launchChromium } from './chromium.ts';
import { arriveAs } from './sign-in-page.ts';
import { keepLogsOnFailure, resultsOf, type Stack } from './stack.ts';

export type Visit = { page: Page; context: BrowserContext; problems: string[] };

/** One process for all the visits of a worker. */
let browser: Browser | undefined;
export const closeBrowser = async () => await browser?.close();

const VIEWPORT = { width: 1280, height: 800 };

type Beginning = {
  /** Signed in under this address before the first page opens. */
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
  // To record what each step found of the page costs a fifth of the run.
  const isTraced = (TestRunner.getCurrentTest()?.result?.retryCount ?? 0) > 0;
  if (isTraced) await context.tracing.start({ snapshots: true });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  if (as !== undefined) await arriveAs(page, as);
  if (at !== undefined) await page.goto(at);
  return { page, context, problems, isTraced };
}

/** Leaves of a test that failed what its page showed, and takes away what it put between the page and the server. */
async function leave({ page, context, isTraced }: Awaited<ReturnType<typeof arrive>>, task: RunnerTestCase) {
  if (task.result?.state === 'fail') {
    const file = `${resultsOf(task)}-${browser?.contexts().indexOf(context)}`;
    await page.screenshot({ path: `${file}.png` });
    if (isTraced) await context.tracing.stop({ path: `${file}.zip` });
  }
  // What is held back still waits for an answer that does not come any more.
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

/**
 * A visitor in a real Chromium who was never there before: cookies, storage and cache are their own, and are gone
 * when the running test is over. `problems` collects console errors and uncaught exceptions. A test that fails leaves
 * a screenshot and what the stack printed in test-results, and with `--retry=1`, as in CI, a trace of its second try.
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
 * One visitor for the tests of a file that need no new one: a page that is opened anew costs seconds. Each test begins
 * at an address inside the running app, as a link leads there, with no toast and no draft of the test before it; after
 * a test that failed the visitor is a new one.
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
  // Over another screen: what is open, chosen and typed belongs to the one that goes.
  await goInApp(page, '/settings');
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.evaluate(() => {
    // While the place of the toasts has the focus they stay.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    for (const key of Object.keys(localStorage)) if (key.includes('/drafts/')) localStorage.removeItem(key);
  });
  problems.length = 0;
  await goInApp(page, at);
}

/** Goes to an address inside the running app, as a link does: the router counts its own steps in the state. */
export async function goInApp(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    const step: unknown = Reflect.get(Object(history.state), '__TSR_index');
    history.pushState({ __TSR_index: Number(step ?? 0) + 1 }, '', to);
  }, path);
}
