import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';

/**
 * How many lines each folder may have, as lines.json says. Who needs more sets the new figure there and says why in the
 * commit; who has taken lines away lowers it. `tests` is all below it, generated code counts for nothing.
 */
const budget = z
  .object({
    lines: z.record(z.string(), z.int()),
    sourceFiles: z.int(),
    npmScripts: z.int(),
  })
  .parse(JSON.parse(readFileSync('tests/house/lines.json', 'utf8')));

const SOURCES = '*/**/*.{ts,tsx,css}';
const NO_SOURCES = ['node_modules/**', '**/dist/**', 'web/src/paraglide/**', 'web/src/route-tree.gen.ts'];
const files = [...globSync(SOURCES, { exclude: NO_SOURCES }), ...globSync('*.ts')].filter(
  (file) => !/^(content|migrations)\//.test(file),
);
const folderOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '.');
const lines = new Map<string, number>();
for (const file of files)
  lines.set(
    folderOf(file),
    (lines.get(folderOf(file)) ?? 0) + readFileSync(file, 'utf8').split('\n').length - 1,
  );

test('no folder has more lines than tests/house/lines.json says, and none is forgotten there', () => {
  expect(Object.keys(budget.lines).sort()).toEqual([...lines.keys()].sort());
  const over = [...lines].flatMap(([folder, count]) => {
    const most = budget.lines[folder] ?? 0;
    if (count <= most) return [];
    return [
      `${folder}/ has ${count} lines, ${count - most} more than its ${most}: take some away, or raise it`,
    ];
  });
  expect(over).toEqual([]);
});

test('the product has no more files, and package.json no more commands, than tests/house/lines.json says', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')));
  expect(files.filter((file) => !file.startsWith('tests/')).length).toBeLessThanOrEqual(budget.sourceFiles);
  expect(Object.keys(scripts).length).toBeLessThanOrEqual(budget.npmScripts);
});
