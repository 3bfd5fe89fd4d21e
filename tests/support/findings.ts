import axe from 'axe-core';
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** WCAG 2.2's size of targets, and the words that one sees on a control in its name: axe asks for neither by default. */
const more = { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } };

/** What axe finds on the page as it stands, best practices included. */
export async function findings(page: Page): Promise<string[]> {
  // As an expression of the debugger's, so that the page's CSP has no say.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return await page.evaluate(async (rules) => {
    const { violations } = await window.axe.run({ rules });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }, more);
}
