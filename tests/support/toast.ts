import type { Page } from 'playwright-core';

/** Waits for a toast and closes it by its button. */
export async function dismissToast(page: Page, text: string): Promise<void> {
  const toast = page.getByRole('listitem').filter({ hasText: text });
  await toast.getByRole('button', { name: '닫기' }).click();
  await toast.waitFor({ state: 'detached' });
}
