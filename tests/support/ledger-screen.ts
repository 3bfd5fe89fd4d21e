import type { Page } from 'playwright-core';
import { z } from 'zod';
import { openLocalD1 } from '../../scripts/database/local-d1.ts';
import { selected } from './both-databases.ts';
import { visit } from './browser.ts';
import type { Stack } from './stack.ts';

const storedSchema = z.array(
  z.object({ id: z.int(), amount: z.int(), datetime: z.string(), description: z.string() }),
);

/** The entries in the database, in the order in which they were stored. */
export function storedEntries({ dataDir }: Stack): z.infer<typeof storedSchema> {
  const rows = selected(dataDir, 'SELECT * FROM ledger_entries ORDER BY id');
  return storedSchema.parse(rows);
}

/** Deletes all entries and dues, and stores these entries. */
export function storeEntries(
  { dataDir }: Stack,
  rows: readonly (readonly [day: string, amount: number, description: string])[] = [],
): void {
  const db = openLocalD1(dataDir);
  db.exec('PRAGMA foreign_keys = ON; DELETE FROM ledger_entries; DELETE FROM dues');
  const insert = db.prepare('INSERT INTO ledger_entries (datetime, amount, description) VALUES (?, ?, ?)');
  for (const [day, amount, description] of rows) insert.run(`${day}T13:00:00`, amount, description);
  db.close();
}

/** Opens the account screen as the account manager. `problems` has the browser's errors from then on. */
export async function openLedger(stack: Stack, tab = '') {
  const { page, problems } = await visit(stack, { as: 'account@lab.test' });
  problems.length = 0;
  await page.goto(`/manage_account${tab}`);
  await page.getByRole('heading', { level: 1, name: '랩비 관리' }).waitFor();
  return { page, problems };
}

export const timeline = (page: Page) => page.getByRole('table', { name: '랩비 내역' });
export const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

/** The texts of the first four cells of each row of the timeline. */
export async function timelineTexts(page: Page): Promise<string[]> {
  const rows = await timeline(page).locator('tr[data-entry]').all();
  return await Promise.all(
    rows.map(async (row) => {
      const cells = await row.locator('td, th').allInnerTexts();
      return cells
        .slice(0, 4)
        .map((cell) => cell.replace(/\s+/g, ' ').trim())
        .join(' | ');
    }),
  );
}
