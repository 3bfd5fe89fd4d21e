import type { Browser, Page } from 'playwright-core';
import { median, type Row } from '../table.ts';
import { verdict } from './report.ts';

const SLOW_3G = { downBitsPerSecond: 400_000, upBitsPerSecond: 400_000, latencyMs: 400 };
const TEXT_MAX_MS = 1200;
const USABLE_MAX_MS = 3000;

/** Times in ms since navigation. */
type Visit = { text: number; menu: number; language: number };

/** When text stands there, the menu opens and the languages lead somewhere, on slow 3G and with an empty cache. */
export async function slowRows(browser: Browser, url: string, runs: number): Promise<Row[]> {
  const visits: Visit[] = [];
  await visit(browser, url);
  for (let run = 0; run < runs; run++) visits.push(await visit(browser, url));
  const row = (figure: string, key: keyof Visit, max: number): Row => {
    const times = visits.map((each) => each[key]);
    const [least, most] = [Math.min(...times), Math.max(...times)].map(Math.round);
    const middle = median(times);
    return {
      figure,
      value: `${Math.round(middle)} ms (${least}–${most})`,
      target: verdict(`≤ ${max} ms`, middle <= max),
    };
  };
  return [
    row('text painted', 'text', TEXT_MAX_MS),
    row('menu opens when pressed', 'menu', USABLE_MAX_MS),
    row('KO and EN are links', 'language', USABLE_MAX_MS),
  ];
}

async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    locale: 'ko-KR',
    ignoreHTTPSErrors: true,
  });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: SLOW_3G.latencyMs,
      downloadThroughput: SLOW_3G.downBitsPerSecond / 8,
      uploadThroughput: SLOW_3G.upBitsPerSecond / 8,
    });
    await page.addInitScript(press);
    await page.goto(url, { waitUntil: 'commit', timeout: 60_000 });
    return await found(page);
  } finally {
    await context.close();
  }
}

/** Runs in the page: presses the menu button in every frame until the menu is open. */
function press(): void {
  const seen: { text?: number; menu?: number; language?: number } = {};
  Object.assign(window, { slowSeen: seen });
  const look = () => {
    const paint = performance.getEntriesByName('first-contentful-paint')[0];
    if (paint) {
      seen.text ??= paint.startTime;
      const menu = document.querySelector<HTMLDialogElement>('dialog#menu');
      if (seen.menu === undefined) {
        document.querySelector<HTMLElement>('header [aria-haspopup=dialog]')?.click();
        if (menu?.open) seen.menu = performance.now();
      }
      if (document.querySelector('a[hreflang=en][href="/en"]')) seen.language ??= performance.now();
    }
    if (seen.menu === undefined || seen.language === undefined) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function found(page: Page): Promise<Visit> {
  const handle = await page.waitForFunction(
    () => {
      const seen: Visit = Reflect.get(window, 'slowSeen');
      return seen.menu !== undefined && seen.language !== undefined && seen;
    },
    undefined,
    { timeout: 60_000 },
  );
  const seen = await handle.jsonValue();
  if (!seen) throw new Error('the menu did not open');
  return seen;
}
