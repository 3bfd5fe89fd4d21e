import type { Locator, Page } from 'playwright-core';

/** Chooses what is done with a row from its menu. @param within the page, or the row of several with that name */
export async function chooseRowAction(within: Page | Locator, name: string | RegExp, action: string) {
  const page = 'page' in within ? within.page() : within;
  await within.getByRole('button', { name }).first().click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}
