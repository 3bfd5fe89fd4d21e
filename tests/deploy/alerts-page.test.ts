import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { alertList, type Alert } from '#contract/alert-list';

const PAGE = 'docs/operations.md';

test('OPS-10 the operations page lists every alert, with its limit and its meaning', async () => {
  const lines = Object.values<Alert>(alertList).map(
    ({ page: { what, begins, means } }) => `- **${what}** (${begins}): ${means}\n`,
  );
  const page = readFileSync(PAGE, 'utf8').replace(/(?<=\n## Alerts\n\n[^]*?\n\n)(- \*\*.*\n)+/, () =>
    lines.join(''),
  );
  await expect(page).toMatchFileSnapshot(`../../${PAGE}`);
});
