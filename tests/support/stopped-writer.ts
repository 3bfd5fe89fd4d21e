import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';

/*
 * A worker that writes files, and stops before its n-th system call. The test then ends the worker, so that
 * the other calls are never made, as after a kill.
 */

const STEPS = [
  'openSync',
  'writeSync',
  'fsyncSync',
  'readSync',
  'closeSync',
  'renameSync',
  'rmSync',
  'ftruncateSync',
  'fchmodSync',
  'lstatSync',
] as const;

type Given = { folder: string; before: number; kind: string; state: Int32Array<SharedArrayBuffer> };
const { folder, before, kind, state }: Given = workerData;
const STOPPED = 1;
const DONE = 2;
const { appendLines, changeFile, replaceFiles } = await import('../../firmware-bridge/src/files.ts');

let left = before;
function step(): void {
  if (left-- > 0) return;
  Atomics.store(state, 0, STOPPED);
  Atomics.wait(state, 0, STOPPED);
}
for (const name of STEPS) {
  const real = fs[name];
  Reflect.set(fs, name, (...given: unknown[]): unknown => {
    step();
    return Reflect.apply(real, fs, given);
  });
}
syncBuiltinESMExports();

const file = join(folder, 'a');
if (kind === 'append') appendLines(file, 'second\nthird\n');
else if (kind === 'change') changeFile(file, (text = '') => `${text}second\n`);
else replaceFiles(['a', 'b'].map((name) => ({ file: join(folder, name), content: 'second\n' })));
Atomics.store(state, 0, DONE);
