import axe from 'axe-core';
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** What axe finds serious or critical on the page as it stands. */
export async function findings(page: Page): Promise<string[]> {
  // As an expression of the debugger's, so that the page's CSP has no say.
  await page.evaluate(axe.source);
  return await page.evaluate(async () => {
    const { violations } = await window.axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  });
}
