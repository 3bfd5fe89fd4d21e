import type { Page } from 'playwright-core';

/** Waits for a toast and closes it by its button. */
export async function dismissToast(page: Page, text: string): Promise<void> {
  const toast = page.getByRole('listitem').filter({ hasText: text });
  await toast.waitFor();
  // The toast may close itself before the click.
  await toast
    .getByRole('button', { name: '닫기' })
    .click({ timeout: 5000 })
    .catch(() => undefined);
  await toast.waitFor({ state: 'detached' });
}
