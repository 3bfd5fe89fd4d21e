import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../firmware-bridge/src/files.ts';
import { freshFolder } from './support/processes.ts';

test('a folder is made with all that are missing above it, and one that is there stays as it is', () => {
  const top = freshFolder();
  const folder = join(top, "a/한글 '폴더'/c");
  makeFolder(folder, 0o700);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  makeFolder(folder);
  makeFolder(join(folder, '.'));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  mkdirSync(join(top, 'there'));
  makeFolder(join(top, 'there/../there/new'));
  expect(existsSync(join(top, 'there/new'))).toBe(true);
});

test.each(['/proc/nothing', '/proc/nothing/below', ''])(
  'where no folder can be made the command ends and says so: "%s"',
  (path) => {
    // In a separate process, which the test can kill if it loops for ever.
    const file = JSON.stringify(join(process.cwd(), 'firmware-bridge/src/files.ts'));
    const script = `const { makeFolder } = await import(${file});
      try { makeFolder(${JSON.stringify(path)}); } catch (error) { console.log(error.code); }`;
    const tried = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect(tried.stdout).toBe('ENOENT\n');
  },
);

test('what is a file is no folder, and nothing is made below it', () => {
  const file = join(freshFolder(), 'file');
  writeFileSync(file, '');
  expect(() => makeFolder(file)).toThrow(file);
  expect(() => makeFolder(join(file, 'below'))).toThrow(file);
});
