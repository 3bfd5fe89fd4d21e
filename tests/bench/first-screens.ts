/** `npm run bench -- first-screens`: what the first screen of a staff member asks for with an empty cache. */
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { buildChangedParts } from '../../scripts/build/build.ts';
import { pageAccess } from '../../web/src/lib/page-access.ts';
import { launchChromium } from '../support/chromium.ts';
import { signInDirectly } from '../support/sign-in-page.ts';
import { startStack } from '../support/stack.ts';
import { printTable, type Row } from './table.ts';

const REQUESTS_MAX = 15;

/** An answer, or a socket that was opened. */
type Loaded = { path: string; bytes: number };

async function benchFirstScreens(): Promise<void> {
  await buildChangedParts();
  const stack = await startStack({ SIMULATOR: 'off' });
  const browser = await launchChromium();
  try {
    const rows: Row[] = [];
    for (const path of Object.keys(pageAccess)) {
      const loaded = await loadFirst(browser, stack.origin, path);
      if (process.argv.includes('list')) for (const each of loaded) console.log(path, each.path, each.bytes);
      rows.push(rowOf(path, loaded));
    }
    printTable('A first staff screen with an empty cache', rows);
  } finally {
    await browser.close();
    await stack.stop();
  }
}

/** Everything that the browser's network panel would list. */
async function loadFirst(browser: Browser, origin: string, path: string): Promise<Loaded[]> {
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await signInDirectly(page, 'admin@lab.test');
    const loading: Promise<Loaded>[] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      const body = response.body().catch(() => Buffer.alloc(0));
      loading.push(body.then((found) => ({ path: pathname, bytes: gzipSync(found).length })));
    });
    page.on('websocket', (socket) => {
      loading.push(Promise.resolve({ path: new URL(socket.url()).pathname, bytes: 0 }));
    });
    await page.goto(path, { waitUntil: 'networkidle' });
    await page.waitForTimeout(2000);
    return await Promise.all(loading);
  } finally {
    await context.close();
  }
}

function rowOf(path: string, loaded: Loaded[]): Row {
  const scripts = loaded.filter((each) => each.path.endsWith('.js'));
  const kilobytes = (files: Loaded[]) => (files.reduce((sum, { bytes }) => sum + bytes, 0) / 1000).toFixed(1);
  const calls = loaded.filter((each) => each.path.startsWith('/api/')).length;
  return {
    figure: path,
    value: `${loaded.length} requests (${scripts.length} scripts, ${calls} calls), ${kilobytes(loaded)} KB gzip, scripts ${kilobytes(scripts)} KB`,
    target: `≤ ${REQUESTS_MAX}: ${loaded.length <= REQUESTS_MAX ? 'ok' : 'over'}`,
  };
}

await benchFirstScreens();
