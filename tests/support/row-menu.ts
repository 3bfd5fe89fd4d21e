import type { Locator, Page } from 'playwright-core';

/** Opens a row's menu and chooses an action. @param within the page, or the row if several have this name */
export async function chooseRowAction(within: Page | Locator, name: string | RegExp, action: string) {
  const page = 'page' in within ? within.page() : within;
  await within.getByRole('button', { name }).first().click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}
