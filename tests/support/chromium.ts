import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** The same Chromium without windows, which needs half of the processor time. */
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
  // Otherwise a page gets a new process with its first response, because of the response's headers.
  '--renderer-process-limit=1',
];

/**
 * @param more further flags
 * @throws Error if Chromium is not installed
 */
export async function launchChromium(more: string[] = []): Promise<Browser> {
  if (!hasBrowser) throw new Error(`no browser at ${CHROMIUM}`);
  // Without a UTF-8 locale, Chromium names every file with a Korean name "download".
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  return await chromium.launch({ executablePath: CHROMIUM, args: [...flags, ...more], env });
}
