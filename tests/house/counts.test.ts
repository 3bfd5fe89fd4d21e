import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('whether every count is full is asked once: tests take theirs from tests/support/counts.ts', () => {
  const files = globSync('{tests,scripts,local}/**/*.ts', { exclude: ['tests/house/**'] });
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((file) => /\benv(\.|\[')FULL\b/.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test('every property is tried with the same seed and a count for each kind of run', () => {
  const files = globSync('tests/**/*.test.ts', { exclude: ['tests/house/**'] });
  expect(files.filter((file) => /\b(seed|numRuns): \d/.test(readFileSync(file, 'utf8')))).toEqual([]);
});
