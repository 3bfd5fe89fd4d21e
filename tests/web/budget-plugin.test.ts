import { expect, test } from 'vitest';
import { budgetProblems, chunkWithImports } from '../../web/vite/budget-plugin.ts';

test('a chunk that outgrows its line is named, with how much it grew', () => {
  const fits = { name: 'signed-in', size: 40_000, limit: 40_000 };
  const grown = { name: 'index', size: 12_750, limit: 12_500 };
  expect(budgetProblems([fits])).toEqual([]);
  expect(budgetProblems([fits, grown])).toEqual(['index has grown 250 bytes beyond its 12500 (12750)']);
});

test('the main page weighs its first script and all that it imports, each once', () => {
  const chunks = [
    { fileName: 'index.js', imports: ['shell.js', 'text.js'] },
    { fileName: 'text.js', imports: ['shell.js'] },
    { fileName: 'shell.js', imports: ['index.js'] },
    { fileName: 'plants.js', imports: ['index.js'] },
  ];
  expect([...chunkWithImports(chunks, 'index.js')]).toEqual(['index.js', 'shell.js', 'text.js']);
});
