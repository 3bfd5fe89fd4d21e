import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { observe, type Seen } from './observe.ts';

/** Slow 4G and a slow phone. The latency is that of each request; handshakes are not slowed. */
export const PROFILE = {
  downBitsPerSecond: 1_600_000,
  upBitsPerSecond: 750_000,
  latencyMs: 150,
  cpuSlowdown: 4,
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  /** How long a page is watched after its load event. */
  watchedMs: 5000,
};

export type Kind = 'document' | 'style' | 'script' | 'font' | 'image' | 'data' | 'other';
/** A finished request; `bytes` is what came over the wire, headers and body as encoded by the server. */
export type Transfer = { url: string; kind: Kind; status: number; bytes: number };

/** One load of a page with an empty cache; times in ms since navigation. */
export type Load = Seen & {
  /** Sum of what tasks took beyond 50 ms, from the first paint to 5 s after load. */
  blockingTime: number;
  /** The same of the time before the first paint, which Total Blocking Time leaves out. */
  blockedBeforePaint: number;
  transfers: Transfer[];
  /** Addresses without which the browser would not paint. */
  renderBlocking: string[];
  /** Address of the picture in #about, when there is one. */
  aboutImage: string | undefined;
  /** Failed requests, console errors and uncaught exceptions. */
  problems: string[];
};

/**
 * Loads a page as a phone with nothing in its cache does, and watches it without touching it.
 * @throws Error when the page was not painted or the network was not slowed
 */
export async function loadPage(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext({
    viewport: PROFILE.viewport,
    deviceScaleFactor: PROFILE.deviceScaleFactor,
    isMobile: true,
    hasTouch: true,
    locale: 'ko-KR',
    ignoreHTTPSErrors: true,
  });
  try {
    const page = await context.newPage();
    const problems = collectProblems(page);
    const session = await context.newCDPSession(page);
    const transfers = await collectTransfers(session);
    await slowDown(session);
    await page.addInitScript(observe);
    const response = await page.goto(url, { waitUntil: 'load', timeout: 60_000 });
    if (response?.status() !== 200) throw new Error(`${url} answered ${response?.status()}`);
    await wait(PROFILE.watchedMs);
    const found = await page.evaluate(() => {
      const [timing] = performance.getEntriesByType('navigation');
      if (!(timing instanceof PerformanceNavigationTiming)) throw new Error('no timing of the navigation');
      const blocks = (entry: PerformanceEntry) =>
        'renderBlockingStatus' in entry && entry.renderBlockingStatus === 'blocking';
      return {
        seen: window.benchSeen,
        answeredAfter: timing.responseEnd - timing.requestStart,
        loadedAt: timing.loadEventEnd,
        renderBlocking: performance
          .getEntriesByType('resource')
          .filter(blocks)
          .map(({ name }) => name),
        aboutImage: document.querySelector<HTMLImageElement>('#about img')?.currentSrc,
      };
    });
    const { seen, answeredAfter, loadedAt, renderBlocking, aboutImage } = found;
    if (!Number.isFinite(seen.largestPaint)) throw new Error(`${url} painted nothing`);
    if (answeredAfter < PROFILE.latencyMs - 10) {
      throw new Error('the browser did not slow its network down');
    }
    const blockingTime = blockingBetween(seen, seen.firstPaint, loadedAt + PROFILE.watchedMs);
    const blockedBeforePaint = blockingBetween(seen, 0, seen.firstPaint);
    return { ...seen, blockingTime, blockedBeforePaint, transfers, renderBlocking, aboutImage, problems };
  } finally {
    await context.close();
  }
}

async function slowDown(session: CDPSession): Promise<void> {
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: PROFILE.latencyMs,
    downloadThroughput: PROFILE.downBitsPerSecond / 8,
    uploadThroughput: PROFILE.upBitsPerSecond / 8,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: PROFILE.cpuSlowdown });
}

function collectProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('requestfailed', (request) => problems.push(`${request.url()} ${request.failure()?.errorText}`));
  return problems;
}

/** Fills the returned list while the page loads. */
async function collectTransfers(session: CDPSession): Promise<Transfer[]> {
  const transfers: Transfer[] = [];
  const answered = new Map<string, Omit<Transfer, 'bytes'>>();
  session.on('Network.responseReceived', ({ requestId, type, response: { url, status, mimeType } }) => {
    answered.set(requestId, { url, status, kind: kindOf(type, mimeType) });
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const answer = answered.get(requestId);
    // A data: address travels nowhere.
    if (answer?.url.startsWith('http')) transfers.push({ ...answer, bytes: encodedDataLength });
  });
  await session.send('Network.enable');
  return transfers;
}

/** A script that is only fetched ahead has a type of its own, so the content decides. */
function kindOf(type: string, mimeType: string): Kind {
  if (type === 'Document') return 'document';
  if (mimeType.includes('javascript')) return 'script';
  if (mimeType === 'text/css') return 'style';
  if (mimeType.startsWith('image/')) return 'image';
  if (type === 'Font' || mimeType.startsWith('font/')) return 'font';
  return type === 'Fetch' || type === 'XHR' ? 'data' : 'other';
}

/** What the long tasks of a stretch of time (ms since navigation) took beyond 50 ms each. */
function blockingBetween({ longTasks }: Seen, from: number, to: number): number {
  return longTasks.reduce((sum, { start, duration }) => {
    const within = Math.min(start + duration, to) - Math.max(start, from);
    return sum + Math.max(0, within - 50);
  }, 0);
}
