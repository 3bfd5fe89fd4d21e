import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Without windows to draw the same Chromium takes half of the processor's time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
export const CHROMIUM = existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : '/usr/bin/chromium';

/** Whether Debian's Chromium is on this machine. */
export const hasBrowser = existsSync(CHROMIUM);

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page gets another process with its first answer, for the headers that it bears: with this the one that it has.
  '--renderer-process-limit=1',
];

/**
 * @param more flags besides those of every run
 * @throws Error when there is none
 */
export async function launchChromium(more: string[] = []): Promise<Browser> {
  if (!hasBrowser) throw new Error(`no browser at ${CHROMIUM}`);
  // Without a language of its own Chromium calls every Korean file "download".
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  return await chromium.launch({ executablePath: CHROMIUM, args: [...flags, ...more], env });
}
