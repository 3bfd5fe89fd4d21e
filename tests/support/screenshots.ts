/** `npm run screenshots`: takes the pictures of README.md from the running product with its demo data. */
import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { format } from 'prettier';
import sharp from 'sharp';
import { buildChangedParts } from '../../scripts/build/build.ts';
import { launchChromium } from './chromium.ts';
import { PARTS_FILE, partsOf, PICTURES } from './pictures.ts';
import { signInDirectly } from './sign-in-page.ts';
import { startStack } from './stack.ts';

/** The height of each picture in pixels. */
const HEIGHT = { 'public-page': 800, grades: 1320, plants: 1280 };

const FAMILY_NAMES = '김이박최정강조윤장임';
const GIVEN_NAMES = ['가람', '나린', '다온', '라온', '마루', '바다', '사랑'];

/** A class of forty with scores around 75, as text that a spreadsheet copies. */
function pastedClass(): string {
  const rows = Array.from({ length: 40 }, (_, at) => {
    const name = `${FAMILY_NAMES.charAt(at % 10)}${GIVEN_NAMES[(at * 3) % 7]}`;
    const middle = Math.sin(at * 12.9898) + Math.sin(at * 78.233) + Math.sin(at * 37.719);
    return [name, 202_600_101 + at, (75 + 8 * middle).toFixed(1), (at * 7) % 4].join('\t');
  });
  return ['성명\t학번\t총점\t결석', ...rows].join('\n');
}

const prepare: Record<keyof typeof PICTURES, (page: Page) => Promise<void>> = {
  'public-page': async (page) => await page.mouse.move(640, 400),
  grades: async (page) => {
    await page.getByLabel('점수 표', { exact: true }).fill(pastedClass());
    await page.getByRole('table', { name: '학점표' }).waitFor();
  },
  plants: async (page) => await page.locator('.recharts-line').first().waitFor(),
};

async function takeScreenshots(): Promise<void> {
  await buildChangedParts();
  const stack = await startStack({ SIMULATOR: 'off' });
  const browser = await launchChromium();
  try {
    for (const name of ['public-page', 'grades', 'plants'] as const) {
      const context = await browser.newContext({
        baseURL: stack.origin,
        viewport: { width: 1280, height: HEIGHT[name] },
      });
      const page = await context.newPage();
      if (name !== 'public-page') await signInDirectly(page, 'admin@lab.test');
      await page.goto(PICTURES[name].at, { waitUntil: 'networkidle' });
      await prepare[name](page);
      const file = `docs/images/${name}.png`;
      await sharp(await page.screenshot({ animations: 'disabled' }))
        .png({ palette: true })
        .toFile(file);
      console.log(file);
      await context.close();
    }
  } finally {
    await browser.close();
    await stack.stop();
  }
  const parts = Object.entries(PICTURES).map(([name, { screen }]) => [name, partsOf(screen)] as const);
  writeFileSync(
    PARTS_FILE,
    await format(JSON.stringify(Object.fromEntries(parts)), { parser: 'json', printWidth: 110 }),
  );
}

await takeScreenshots();
