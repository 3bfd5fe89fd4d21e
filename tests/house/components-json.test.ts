import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const { aliases, tailwind } = z
  .object({ aliases: z.record(z.string(), z.string()), tailwind: z.object({ css: z.string() }) })
  .parse(read('components.json'));
const { imports } = z.object({ imports: z.record(z.string(), z.unknown()) }).parse(read('package.json'));

/** Where an alias leads by the imports of package.json, as shadcn's command line reads it. */
function placeOf(alias = ''): string {
  const [root, ...rest] = alias.split('/');
  const pattern = z.string().parse(imports[`${root}/*`] ?? '');
  return pattern.replace(/\/\*.*/, ['', ...rest].join('/'));
}

test('a component that shadcn adds lands beside the others and finds cn and the style sheet', () => {
  expect(placeOf(aliases['components'])).toBe('./web/src/components');
  expect(existsSync(`${placeOf(aliases['ui'])}/button.tsx`)).toBe(true);
  expect(placeOf(aliases['lib'])).toBe('./web/src/lib');
  expect(placeOf(aliases['hooks'])).toBe('./web/src/lib');
  expect(readFileSync(`${placeOf(aliases['utils'])}.ts`, 'utf8')).toMatch(/export .*\bcn\b/);
  expect(readFileSync(tailwind.css, 'utf8')).toContain("@import 'tailwindcss'");
});
