import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

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

/**
 * A real Chromium with a profile of its own, closed when the running test is over. `problems` collects console
 * errors and uncaught exceptions. A test that fails leaves a trace and a screenshot in test-results.
 */
export async function visit(
  origin: string,
  name: string,
  viewport = { width: 1280, height: 800 },
): Promise<Visit> {
  const profile = mkdtempSync(join(tmpdir(), 'cps-lab-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    args: flags,
    baseURL: origin,
    viewport,
  });
  await context.tracing.start({ screenshots: true, snapshots: true });
  const page = context.pages()[0] ?? (await context.newPage());
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
    rmSync(profile, { recursive: true, force: true });
  });
  return { page, context, problems };
}
