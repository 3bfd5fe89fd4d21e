import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { pageAccess } from '../../web/src/lib/page-access.ts';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { someOrAll } from '../support/counts.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { bareTexts, translate } from '../support/translated.ts';

const TOGGLES =
  'th button, [aria-expanded], summary, label:has([type=radio]), label:has([type=checkbox]), [role=combobox]';

/** Presses what only shows something else: rows in another order, a fold, a choice. */
async function pressToggles(page: Page): Promise<void> {
  const toggles = await page.getByRole('main').locator(TOGGLES).filter({ visible: true }).all();
  for (const toggle of toggles.slice(0, 10)) {
    // One may have taken another away.
    await toggle.click({ timeout: 1000 }).catch(() => undefined);
    await page.keyboard.press('Escape');
  }
}

describe.skipIf(!hasBrowser)('a page that the browser has translated', () => {
  const stack = sharedStack('demo');

  test('PUB-27 each screen and each of its tabs goes on: nothing that is pressed throws, and React holds no text by itself', async () => {
    const { page, problems } = await visit(stack, { as: 'admin@lab.test' });
    for (const path of someOrAll(5, Object.keys(pageAccess))) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      const tabs = await page.getByRole('tab').all();
      await translate(page);
      await pressToggles(page);
      for (const tab of tabs) {
        await tab.click();
        await page.getByRole('tabpanel').waitFor();
        await pressToggles(page);
      }
      expect(await page.getByText('화면을 표시하지 못했습니다').count(), path).toBe(0);
      expect(await bareTexts(page), path).toEqual([]);
    }
    expect(problems).toEqual([]);
  });
});
