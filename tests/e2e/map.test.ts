import { createServer, type Server } from 'node:https';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createSelfSignedCertificate } from '../../local/certificate.ts';
import { waitForHydration } from '../support/hydration.ts';
import { hasBrowser, launchChromium } from '../support/chromium.ts';
import { shareOrAll } from '../support/counts.ts';
import { sharedStack } from '../support/shared-stack.ts';

/* The map's maker, played by a server of our own under its names: Playwright's routes would swallow what is asked. */

const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="#88a"/></svg>';
const embedded = `<!doctype html><title>map</title><body style="margin:0"><script>
for (const n of [1, 2, 3, 4]) {
  document.body.append(Object.assign(new Image(), { src: 'https://tile.openstreetmap.org/17/1/' + n + '.png' }));
}
</script>`;

let tiles: { referer: string | undefined; status: number }[] = [];
beforeEach(() => {
  tiles = [];
});

function mapMaker(): Server {
  const { key, certificate } = createSelfSignedCertificate(['127.0.0.1']);
  return createServer({ key, cert: certificate }, ({ url = '', headers }, response) => {
    if (headers.host?.startsWith('tile.')) {
      const status = headers.referer === undefined ? 403 : 200;
      tiles.push({ referer: headers.referer, status });
      response.writeHead(status, { 'content-type': 'image/svg+xml' }).end(picture);
    } else if (url.startsWith('/export/')) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(embedded);
    } else response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(picture);
  });
}

async function untilMapIsSeen(page: Page): Promise<void> {
  await page
    .locator('#contact')
    .getByText('37.5444° N')
    .evaluate((pin) => pin.scrollIntoView());
  await page.locator('#contact iframe').waitFor();
}

describe.skipIf(!hasBrowser)('the map of the contact section', () => {
  const stack = sharedStack('demo');
  let browser: Browser;
  const maker = mapMaker();
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      maker.listen(0, '127.0.0.1', resolve);
    });
    const address = maker.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    browser = await launchChromium([
      `--host-resolver-rules=MAP *.openstreetmap.org 127.0.0.1:${port}`,
      '--ignore-certificate-errors',
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    maker.close();
  });

  async function contactOf(path: string, width: number): Promise<Page> {
    const context = await browser.newContext({
      baseURL: stack.origin,
      viewport: { width, height: 800 },
      ignoreHTTPSErrors: true,
    });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(path);
    await waitForHydration(page);
    await untilMapIsSeen(page);
    return page;
  }

  test.each(
    shareOrAll(1, [
      ['/ko', 1280],
      ['/en', 360],
    ] as const),
  )(
    'PUB-11 PUB-24 gets its tiles, which are refused without a referrer, and then stands alone: %s',
    async (path, width) => {
      const page = await contactOf(path, width);
      await expect.poll(() => tiles.length).toBeGreaterThanOrEqual(4);
      expect(tiles.filter(({ status }) => status !== 200)).toEqual([]);
      expect(tiles[0]?.referer).toBe('https://www.openstreetmap.org/');
      await page.locator('#contact').getByText('37.5444° N').waitFor({ state: 'hidden' });
      const framed = await page.locator('#contact iframe').boundingBox();
      expect(framed?.width).toBeGreaterThan(width * 0.6);
      expect(framed?.height).toBeGreaterThan(300);
      // Naver and Kakao know Korean addresses.
      for (const name of [/네이버지도|Naver/, /카카오맵|Kakao/]) {
        await page.locator('#contact').getByRole('link', { name }).waitFor();
      }
    },
  );
});
