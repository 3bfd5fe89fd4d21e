import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { alertList, type AlertDefinition } from '#contract/alert-list';

const PAGE = 'docs/operations.md';

test('OPS-10 the operations page lists every alert, with its limit and its meaning', async () => {
  const lines = Object.values<AlertDefinition>(alertList).map(
    ({ page: { what, begins, means } }) => `- **${what}** (${begins}): ${means}\n`,
  );
  const page = readFileSync(PAGE, 'utf8').replace(/(?<=\n## Alerts\n\n[^]*?\n\n)(- \*\*.*\n)+/, () =>
    lines.join(''),
  );
  await expect(page).toMatchFileSnapshot(`../../${PAGE}`);
});

test('OPS-12 the whole installation is at most twelve steps, and what operators read 8,000 words', () => {
  const read = (page: string) => readFileSync(page, 'utf8');
  const steps = read('docs/deploy.md').match(/^\| \d+\. /gm) ?? [];
  expect(steps.length).toBeGreaterThan(8);
  expect(steps.length).toBeLessThanOrEqual(12);
  const pages = [
    'docs/operations.md',
    'docs/deploy.md',
    'docs/configuration.md',
    'docs/first-board.md',
    'firmware-bridge/README.md',
  ];
  const words = pages.map(read).join('\n').split(/\s+/).length;
  expect(words).toBeLessThanOrEqual(8000);
});
