import { connectAsync } from 'mqtt';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { pageAccess } from '../../web/src/lib/page-access.ts';
import { openLocalD1 } from '../../scripts/database/local-d1.ts';
import { waitForHydration } from '../support/hydration.ts';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { shareOrAll } from '../support/counts.ts';
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
    for (const path of shareOrAll(3, Object.keys(pageAccess))) {
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

  test('PUB-27 who has paid is counted right after a payment, and after it is taken back', async () => {
    const db = openLocalD1(stack.dataDir);
    db.exec('DELETE FROM dues');
    db.close();
    const { page, problems } = await visit(stack, { as: 'account@lab.test', at: '/manage_account?tab=dues' });
    const count = page.getByText(/명 중 [0-9]+명 납부/);
    await count.waitFor();
    const [, all] = /([0-9]+)명/.exec(await count.innerText()) ?? [];
    await translate(page);
    await page.getByText(`«${all}명 중 0명 납부»`).waitFor();
    await page
      .getByRole('button', { name: /납부 처리$/ })
      .first()
      .click();
    await page.getByRole('list', { name: '입금 내역' }).getByRole('button').first().click();
    await page.getByText(`«${all}명 중 1명 납부»`).waitFor();
    await page.getByRole('button', { name: /작업$/ }).first().click();
    await page.getByRole('menuitem', { name: '납부 취소' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '납부 취소' }).click();
    await page.getByText(`«${all}명 중 0명 납부»`).waitFor();
    await expect.poll(() => count.count()).toBe(1);
    expect(problems).toEqual([]);
  });

  test('PUB-27 a reading that arrives shows', async () => {
    const board = await connectAsync(stack.brokerUrl);
    const publish = (raw: number) =>
      board.publishAsync('lab/plants/translated/soil_moisture', String(raw), { qos: 1 });
    await publish(600);
    const { page, problems } = await visit(stack, { as: 'admin@lab.test', at: '/manage_plants' });
    const card = page.locator('li[data-plant="translated"]');
    await card.getByText('센서 600').waitFor();
    await translate(page);
    for (const raw of [610, 590]) {
      await publish(raw);
      await card.getByText(new RegExp(`^«.*센서 ${raw}\\b.*»$`)).waitFor();
      await expect.poll(() => card.getByText(/센서 [0-9]/).count()).toBe(1);
    }
    await board.endAsync();
    expect(problems).toEqual([]);
  });

  test('PUB-27 the main page goes over to English and back', async () => {
    const { page, problems } = await visit(stack, { at: '/' });
    const sections = async () => {
      const texts = await page.locator('main section').allInnerTexts();
      return texts.map((text) => text.replaceAll(/[«»]/g, '').replaceAll(/\s+/g, ' '));
    };
    await page.getByRole('link', { name: 'KO', exact: true }).click();
    await waitForHydration(page);
    const korean = await sections();
    await translate(page);
    await page.getByRole('link', { name: /^«?EN»?$/ }).click();
    await page.waitForURL('**/en');
    await page
      .locator('#about')
      .getByText(/Korea|systems/)
      .first()
      .waitFor();
    expect((await sections()).join('')).not.toBe(korean.join(''));
    await page.getByRole('link', { name: /^«?KO»?$/ }).click();
    await page.waitForURL('**/ko');
    await expect.poll(sections).toEqual(korean);
    expect(await bareTexts(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
