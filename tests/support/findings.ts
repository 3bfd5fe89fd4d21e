import axe from 'axe-core';
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** Two rules that axe does not check by default: WCAG 2.2's target size, and visible text in a control's name. */
const more = { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } };

/** What axe finds on the page, with its best practices. */
export async function findings(page: Page): Promise<string[]> {
  // Evaluated by the debugger, which the page's CSP does not block.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return await page.evaluate(async (rules) => {
    const { violations } = await window.axe.run({ rules });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }, more);
}
