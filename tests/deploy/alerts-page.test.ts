import { readFileSync } from 'node:fs';
import { format } from 'prettier';
import * as z from 'zod';
import { expect, test } from 'vitest';
import { alertList, type Alert } from '#contract/alert-list';

const PAGE = 'docs/operations.md';
const TABLE = /(?<=\n)\| what .*?\n(?=\n)/s;
const columns = ['what', 'begins', 'means', 'first'] as const;

/** The table of alerts as the code has it. */
async function table(): Promise<string> {
  const rows = Object.values<Alert>(alertList).map(
    ({ page }) => `| ${columns.map((column) => page[column]).join(' | ')} |`,
  );
  const head = ['| what | begins | it means | first |', '| - | - | - | - |'];
  const options = z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(readFileSync('.prettierrc.json', 'utf8')));
  return await format([...head, ...rows].join('\n'), { ...options, parser: 'markdown' });
}

test('OPS-10 the table of the operations page holds every alert, with its limit, its meaning and a first step', async () => {
  const page = readFileSync(PAGE, 'utf8');
  const [, alerts = ''] = page.split('\n## Alerts\n');
  const made = alerts.replace(TABLE, await table());
  await expect(page.replace(alerts, () => made)).toMatchFileSnapshot(`../../${PAGE}`);
});
