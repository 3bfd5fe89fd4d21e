import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { words } from '../support/words.ts';

const packageSchema = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
});
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), license: z.string().optional() }),
  ),
});

const { dependencies, devDependencies } = packageSchema.parse(json('package.json'));
const named = Object.keys({ ...dependencies, ...devDependencies });
const { packages: locked } = lockSchema.parse(json('package-lock.json'));

/** A line for each package: `name` (licence): purpose; upkeep. */
const rows = [
  ...readFileSync('docs/dependencies.md', 'utf8').matchAll(
    /^- `([^`]+)`(?: \(([^)]+)\))?: ([^;\n]+); (\w+)/gm,
  ),
].map(([, name = '', licence = 'MIT', purpose = '', upkeep = '']) => ({ name, licence, purpose, upkeep }));

/** Run by their commands or found by another package, so that no source names them. */
const usedByCommand = new Set(
  words(`
  @types/node @types/react @types/react-dom drizzle-kit node oxlint oxlint-tsgolint prettier typescript
`),
);

function json(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

test('each package has one row in docs/dependencies.md, and each row its package', () => {
  expect(rows.map(({ name }) => name).sort()).toEqual(named.sort());
});

test('each row says what the package is for, how it is kept and its licence as the lock file has it', () => {
  for (const { name, purpose, upkeep, licence } of rows) {
    expect(purpose, name).not.toBe('');
    expect(upkeep, name).toMatch(/^(kept|quiet|watch)\b/);
    // A package that names none in its package.json has it in a file beside.
    expect(licence, name).toBe(locked[`node_modules/${name}`]?.license ?? 'MIT');
  }
});

test('each package that runs has its repository and the day of its release', () => {
  const page = readFileSync('docs/dependencies.md', 'utf8');
  for (const name of Object.keys(dependencies)) {
    const [, repository = '', day = ''] =
      new RegExp(`^- \`${name}\`.*; (\\S+/\\S+), (\\d{4}-\\d\\d-\\d\\d)$`, 'm').exec(page) ?? [];
    expect(JSON.stringify(json(`node_modules/${name}/package.json`)), name).toContain(repository);
    expect(Date.parse(day), name).toBeGreaterThan(Date.parse('2020-01-01'));
  }
});

test('each package is used', () => {
  const files = globSync(
    [
      '{contract,content,db,web,worker,ingest,firmware-bridge,local,scripts,tests}/**/*.{ts,tsx,css,json}',
      '*.{ts,json}',
      '.oxlintrc.json',
    ],
    { exclude: ['**/dist/**', '**/paraglide/**', 'package*.json', 'tests/house/**'] },
  );
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const unused = named
    .filter((name) => !usedByCommand.has(name))
    .filter((name) => !new RegExp(`['"](\\S*node_modules/)?${name}(/[^'"\\s]*)?['"]`).test(text));
  expect(unused).toEqual([]);
});

test('versions are exact, and of each large package there is one', () => {
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    expect(version, name).toMatch(/^\d/);
  }
  for (const name of words('esbuild lightningcss zod workerd miniflare wrangler typescript vite')) {
    const places = Object.keys(locked).filter((path) => path.endsWith(`node_modules/${name}`));
    expect(places).toEqual([`node_modules/${name}`]);
  }
});
