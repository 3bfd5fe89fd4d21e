import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { digestOf, lockBuilds, runNode } from './build-tools.ts';

/** What is generated from messages and routes; type checking needs it and git does not contain it. */
const GENERATED = ['web/src/paraglide', 'web/src/route-tree.gen.ts'];
const GENERATED_STAMP = 'dist/stamps/generated';

/** Generates the code that git does not contain, unless it is there as its sources and its maker left it. */
export async function generateChanged(): Promise<void> {
  if (isGenerated()) return;
  const lock = await lockBuilds();
  try {
    await generate();
  } finally {
    lock.close();
  }
}

/** `vite` generates it too while a route or a message is written: what lies there counts as well. */
const digestOfGenerated = () =>
  GENERATED.every((path) => existsSync(path)) &&
  digestOf(
    [
      'package-lock.json',
      'web/generate.ts',
      'web/vite/generated-code.ts',
      'web/messages',
      'web/project.inlang',
      'web/src/routes',
      ...GENERATED,
    ],
    new Set(),
  );
const isGenerated = () =>
  existsSync(GENERATED_STAMP) && readFileSync(GENERATED_STAMP, 'utf8') === digestOfGenerated();

/** The same for who builds already. */
export async function generate(): Promise<void> {
  if (isGenerated()) return;
  const started = Date.now();
  await runNode('web/generate.ts', []);
  mkdirSync(dirname(GENERATED_STAMP), { recursive: true });
  writeFileSync(GENERATED_STAMP, digestOfGenerated() || '');
  console.log(`build  generated code (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}
