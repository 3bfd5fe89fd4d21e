import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const CXX = '/usr/bin/g++';
const stubs = import.meta.dirname;
const sketch = join(stubs, '../../../firmware/arduino/board');
let compiled: string | undefined;

/** Compiles firmware/arduino for this machine, once, with the stubs of this folder. Its flash is a file. */
export function compiledSketch(everyMs: number): string {
  if (compiled !== undefined) return compiled;
  const folder = mkdtempSync(join(tmpdir(), 'sketch-'));
  const settings = readFileSync(join(sketch, 'settings.example.h'), 'utf8');
  writeFileSync(
    join(folder, 'settings.h'),
    settings.replace(/EVERY_S = .*;/, `EVERY_S = ${everyMs / 1000};`),
  );
  const program = join(folder, 'board');
  const warnings = ['-Wall', '-Wextra', '-Werror'];
  const made = spawnSync(
    CXX,
    [
      '-std=gnu++17',
      ...warnings,
      '-DFLASH_FILE="readings.bin"',
      // The board of the tests measures every two milliseconds, so it needs room for more readings.
      '-DMOST_KEPT=100000',
      ...[stubs, folder, sketch].map((path) => `-I${path}`),
      join(stubs, 'main.cpp'),
      '-o',
      program,
    ],
    { encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(made.stderr);
  compiled = program;
  return program;
}
