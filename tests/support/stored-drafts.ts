import type { Page } from 'playwright-core';

/** The keys of the drafts that the browser stores. */
export const storedDrafts = (page: Page): Promise<string[]> =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('/drafts/')));
