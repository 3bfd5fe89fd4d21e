import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

/*
 * A worker that writes, and stops for good before its n-th call of the system: whoever started it ends it there, as a kill
 * would, and nothing of what should have followed is done.
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

const { folder, before, kind }: { folder: string; before: number; kind: string } = workerData;
const { appendLines, changeFile, replaceFiles } = await import('../../firmware-bridge/src/files.ts');

let left = before;
function step(): void {
  if (left-- > 0) return;
  parentPort?.postMessage('stopped');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
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
parentPort?.postMessage('done');
