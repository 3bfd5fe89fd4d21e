import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { LEVELS } from '../../contract/access-levels.ts';

/** Makes a clone in which one file has a changed text. */
export function cloneWith(place: string, file: string, change: (text: string) => string): string {
  const clone = join(place, `other-${basename(file)}`);
  for (const part of ['contract', 'db', 'firmware-bridge/src', 'migrations', 'scripts', 'package.json'])
    cpSync(part, join(clone, part), { recursive: true });
  symlinkSync(resolve('node_modules'), join(clone, 'node_modules'));
  const text = readFileSync(file, 'utf8');
  expect(change(text), `${file} is not changed`).not.toBe(text);
  writeFileSync(join(clone, file), change(text));
  return clone;
}

/** What `npm run migration` runs, in that clone. */
export const runMigration = (clone: string, name: string) =>
  promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'scripts/database/migration.ts', name],
    {
      cwd: clone,
      env: { ...process.env, PATH: `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH}` },
    },
  );

/** A secure level that is not in use. */
export const FREE_LEVEL = [7, 6, 4, 2, 9].find((free) => !LEVELS.some((taken) => taken === free)) ?? 0;

/** The folder of migrations after the one that a new level needs. */
export async function withFreeLevel(place: string): Promise<string> {
  const clone = cloneWith(place, 'contract/access-levels.ts', (text) =>
    text.replace('roleNames = {', `roleNames = {\n  ${FREE_LEVEL}: 'Tried',`),
  );
  await runMigration(clone, 'allow_one_more_level');
  return join(clone, 'migrations');
}
