import { createServer, type Server } from 'node:https';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { hasBrowser, launchChromium } from '../support/chromium.ts';
import { selfSigned } from '../support/self-signed.ts';
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
let isRefusing = false;
beforeEach(() => {
  tiles = [];
  isRefusing = false;
});

function mapMaker(): Server {
  return createServer(selfSigned(), ({ url = '', headers }, response) => {
    if (headers.host?.startsWith('tile.')) {
      const status = isRefusing || headers.referer === undefined ? 403 : 200;
      tiles.push({ referer: headers.referer, status });
      response.writeHead(status, { 'content-type': 'image/svg+xml' }).end(picture);
    } else if (url.startsWith('/export/')) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(embedded);
    } else response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(picture);
  });
}

async function untilMapIsSeen(page: Page): Promise<void> {
  await page.locator('#contact').scrollIntoViewIfNeeded();
  await page.locator('#contact figure').scrollIntoViewIfNeeded();
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
    await untilMapIsSeen(page);
    return page;
  }

  test.each([
    ['/ko', '약도', 1280],
    ['/en', 'Sketch map', 360],
  ])(
    'PUB-11 gets its tiles, which are refused without a referrer, and stands beside the drawing, also where it shows refusals: %s',
    async (path, label, width) => {
      const page = await contactOf(path, width);
      await expect.poll(() => tiles.length).toBeGreaterThanOrEqual(4);
      expect(tiles.filter(({ status }) => status !== 200)).toEqual([]);
      expect(tiles[0]?.referer).toBe('https://www.openstreetmap.org/');

      isRefusing = true;
      await page.reload();
      await untilMapIsSeen(page);
      await expect.poll(() => tiles.map(({ status }) => status)).toContain(403);
      const drawing = page.locator('#contact figure');
      await drawing.getByText(label).waitFor();
      const [drawn, framed] = await Promise.all([
        drawing.boundingBox(),
        page.locator('#contact iframe').boundingBox(),
      ]);
      if (!drawn || !framed) throw new Error('nothing is drawn');
      for (const { width: wide, height } of [drawn, framed]) {
        expect(wide).toBeGreaterThan(150);
        expect(height).toBeGreaterThan(150);
      }
      expect(framed.x >= drawn.x + drawn.width - 1 || framed.y >= drawn.y + drawn.height - 1).toBe(true);
      // Naver and Kakao know Korean addresses.
      for (const name of [/네이버지도|Naver/, /카카오맵|Kakao/]) {
        await page.locator('#contact').getByRole('link', { name }).waitFor();
      }
    },
  );
});
