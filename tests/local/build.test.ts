import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { workplace } from '../deploy/deployment.ts';
import { isFull } from '../support/counts.ts';

/** Builds these parts in a copy of the repository. */
function build(place: string, ...parts: string[]) {
  const args = ['--disable-warning=ExperimentalWarning', resolve(place, 'scripts/build/build.ts'), ...parts];
  const child = spawn(process.execPath, args, { cwd: place });
  let output = '';
  let look = () => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      look();
    });
  }
  return {
    waits: new Promise<void>((done) => {
      look = () => {
        if (output.includes('waiting until another build')) done();
      };
    }),
    ended: new Promise<string>((done) => {
      child.on('close', (status) => done(`${output}ended with ${status}`));
    }),
  };
}

test('OPS-1 of two that start at once one builds, and the other waits and goes on with the same', async () => {
  const place = workplace();
  rmSync(join(place, 'dist/stamps'), { recursive: true });
  const third = new DatabaseSync(join(place, 'dist/building.lock'));
  third.exec('BEGIN EXCLUSIVE');
  const both = [build(place, 'local host guard'), build(place, 'local host guard')];
  await Promise.all(both.map(({ waits }) => waits));
  third.close();
  const outputs = await Promise.all(both.map(({ ended }) => ended));
  expect(
    outputs.every((output) => output.endsWith('ended with 0')),
    outputs.join('\n'),
  ).toBe(true);
  expect(outputs.filter((output) => output.includes('build  local host guard'))).toHaveLength(1);
});

// Takes half a minute, so only in a full run.
test.runIf(isFull)('OPS-1 a clone in which nothing was generated yet builds the site', async () => {
  const place = mkdtempSync(join(tmpdir(), 'cps-lab-clone-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  execFileSync('sh', ['-c', 'git archive HEAD | tar -x -C "$0"', place]);
  symlinkSync(resolve('node_modules'), join(place, 'node_modules'));
  expect(await build(place, 'site', 'site functions').ended).toMatch(/ended with 0$/);
});
