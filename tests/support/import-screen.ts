import type { Page } from 'playwright-core';

/** The headers of columns that are not completely visible without horizontal scrolling. */
export async function outOfSight(page: Page, caption: string, headers: string[]): Promise<string[]> {
  return await page.getByRole('table', { name: caption, exact: true }).evaluate((table, wanted) => {
    const edge = table.closest('section')?.getBoundingClientRect().right ?? 0;
    const seen = Array.from(table.querySelectorAll('thead th'), (cell) => ({
      header: cell.textContent.trim(),
      right: cell.getBoundingClientRect().right,
    }));
    return wanted.filter((name) => !seen.some(({ header, right }) => header === name && right <= edge));
  }, headers);
}
