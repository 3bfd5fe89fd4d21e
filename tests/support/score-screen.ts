import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { visit } from './browser.ts';
import { signInDirectly } from './sign-in-page.ts';
import type { Stack } from './stack.ts';

/** Opens the screen as an admin, with access to the clipboard. `problems` has the errors from then on. */
export async function openScores(stack: Stack) {
  const visitor = await visit(stack);
  const { page, problems, context } = visitor;
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stack.origin });
  await signInDirectly(page, 'admin@lab.test');
  // Before the sign-in, requests fail with 401. From here on there must be no errors.
  problems.length = 0;
  await page.goto('/manage_scores');
  await page.getByRole('heading', { level: 1, name: '성적 관리' }).waitFor();
  return visitor;
}

export const table = (page: Page) => page.getByRole('table', { name: '학점표' });
export const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });

export const fill = async (page: Page, text: string) => {
  // After a paste, the field is closed; a button opens it again.
  const again = page.getByRole('button', { name: '다시 붙여넣기' });
  const field = page.getByRole('textbox', { name: '점수 표', exact: true });
  await again.or(field).first().waitFor();
  if (await again.isVisible()) await again.click();
  await field.fill(text);
};
/** Pastes a table in which the column of scores is clear. */
export const paste = async (page: Page, text: string) => {
  await fill(page, text);
  await table(page).waitFor();
};

/** Pastes the lines with a paste event: thousands of typed lines would be far slower. */
export const pasteLong = async (page: Page, lines: string[]) => {
  await page.getByLabel('점수 표', { exact: true }).evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, lines.join('\n'));
};

/** The reason for each grade, from the top. */
export const reasons = async (page: Page) =>
  await table(page)
    .getByRole('button', { name: /산정 근거$/ })
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('title') ?? ''));
/** The reason for a student's grade. */
export const reason = async (page: Page, name: string) =>
  await row(page, name)
    .getByRole('button', { name: /산정 근거$/ })
    .getAttribute('title');

/** The texts of a column, from the top. */
export const column = async (page: Page, header: string) => {
  const headers = await table(page).getByRole('columnheader').allInnerTexts();
  const at = headers.findIndex((each) => each.trim() === header);
  const cells = table(page).locator(`tbody tr > :nth-child(${at + 1})`);
  return (await cells.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
};
export const untilGrades = async (page: Page, grades: string[]) => {
  await expect.poll(async () => await column(page, '학점')).toEqual(grades);
};

export const choose = async (page: Page, label: string, option: string) => {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

export const clipboard = async (page: Page) => await page.evaluate(() => navigator.clipboard.readText());
