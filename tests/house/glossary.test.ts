import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The words behind a "not" of the glossary that stand in code marks. */
const refused = [...readFileSync('docs/glossary.md', 'utf8').matchAll(/^- .+; not (.+)$/gm)].flatMap(
  ([, cell = '']) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, word = '']) => word),
);

/** Wherever Korean stands that is shown. */
const shown = globSync([
  '{web/src,contract,content,http,worker/src,ingest/src}/**/*.{ts,tsx}',
  'web/public/markdown/*.md',
  'web/messages/ko.json',
  'db/personal-data.ts',
]).filter((file) => !file.includes('/paraglide/'));

test('one word for a thing: nothing that is shown uses a word that the glossary refuses', () => {
  expect(refused.length).toBeGreaterThan(30);
  expect(shown.length).toBeGreaterThan(300);
  const found = shown
    .filter((file) => file !== 'web/src/lib/hangul.ts')
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8').normalize('NFC');
      return refused.filter((word) => text.includes(word)).map((word) => `${file}: ${word}`);
    });
  expect(found).toEqual([]);
});
