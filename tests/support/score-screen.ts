import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { visit } from './browser.ts';
import { arriveAs } from './sign-in-page.ts';
import type { Stack } from './stack.ts';

/** The screen as an admin sees it, with the clipboard at hand. What goes wrong from then on is in `problems`. */
export async function openScores(stack: Stack) {
  const visitor = await visit(stack);
  const { page, problems, context } = visitor;
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stack.origin });
  await arriveAs(page, 'admin@lab.test');
  // Whoever is not signed in yet was told so; from here on nothing may go wrong.
  problems.length = 0;
  await page.goto('/manage_scores');
  await page.getByRole('heading', { level: 1, name: '성적 관리' }).waitFor();
  return visitor;
}

export const table = (page: Page) => page.getByRole('table', { name: '학점표' });
export const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });

export const fill = async (page: Page, text: string) => {
  // What was read before is folded.
  const again = page.getByRole('button', { name: '다시 붙여넣기' });
  const field = page.getByRole('textbox', { name: '점수 표', exact: true });
  await again.or(field).first().waitFor();
  if (await again.isVisible()) await again.click();
  await field.fill(text);
};
/** A table whose score is beyond doubt. */
export const paste = async (page: Page, text: string) => {
  await fill(page, text);
  await table(page).waitFor();
};

/** As a person pastes it: a browser types thousands of lines far slower than it pastes them. */
export const pasteLong = async (page: Page, lines: string[]) => {
  await page.getByLabel('점수 표', { exact: true }).evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, lines.join('\n'));
};

/** Why each grade is what it is, from the top. */
export const reasons = async (page: Page) =>
  await table(page)
    .getByRole('button', { name: /산정 근거$/ })
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('title') ?? ''));
/** Why a student's grade is what it is. */
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
