import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { workplace } from '../deploy/deployment.ts';

/** Builds the smallest part in that place. */
function build(place: string) {
  const args = ['--disable-warning=ExperimentalWarning', resolve('scripts/build/build.ts'), 'local door'];
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
        if (output.includes('waiting for another process')) done();
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
  const both = [build(place), build(place)];
  await Promise.all(both.map(({ waits }) => waits));
  third.close();
  const outputs = await Promise.all(both.map(({ ended }) => ended));
  expect(
    outputs.every((output) => output.endsWith('ended with 0')),
    outputs.join('\n'),
  ).toBe(true);
  expect(outputs.filter((output) => output.includes('build  local door'))).toHaveLength(1);
});
