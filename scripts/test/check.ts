/** `npm run check`: checks types, lint and format in parallel. `npm run format` formats all files. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { refuseExtraArguments } from '../../firmware-bridge/src/commands/command-line.ts';
import { generateChangedCode } from '../build/build-tools.ts';
import { defineCommand, print, runAsProgram } from '../terminal.ts';

const HELP = {
  command: 'npm run check --',
  does: 'checks types, lint and format of the whole tree.',
  ways: [
    ['', 'checks every file'],
    ['<file>…', 'checks all types, and lint and format of these files'],
    ['--write', 'the same as npm run format: formats every file'],
  ],
  options: { write: { type: 'boolean', default: false, tells: 'formats, but checks nothing' } },
  example: 'npm run check',
  page: 'CONTRIBUTING.md#house-rules',
} as const;

const CACHED = ['--cache', '--cache-strategy', 'content', '--cache-location', '.cache/prettier'];
const PRETTIER = ['prettier', '--check', '--ignore-unknown', ...CACHED, '--log-level', 'warn'];

/** The tools to run: for all files, or only for the given files if a tool can check single files. */
function checksOf(files: string[]): string[][] {
  const there = files.filter((file) => existsSync(file));
  const sources = there.filter((file) => /\.[cm]?[jt]sx?$/.test(file));
  const isAll = files.length === 0;
  return [
    ['tsc', '-b'],
    ...(isAll || sources.length > 0 ? [['oxlint', '--type-aware', '--deny-warnings', ...sources]] : []),
    ...(isAll || there.length > 0 ? [[...PRETTIER, ...(isAll ? ['.'] : there)]] : []),
  ];
}

export const checkCommand = defineCommand(HELP, async ({ values, words }) => {
  if (values.write) refuseExtraArguments(words);
  await generateChangedCode();
  const checks = values.write ? [['prettier', '--write', '--log-level', 'warn', '.']] : checksOf(words);
  const statuses = await Promise.all(checks.map(run));
  return Math.max(...statuses);
});

/** Runs a tool and prints its output only at the end, because other tools run at the same time. */
async function run([tool = '', ...args]: string[]): Promise<number> {
  const started = Date.now();
  const child = spawn(tool, args, { stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
  let found = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (found += chunk.toString()));
  const [status]: (number | null)[] = await once(child, 'close');
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  print(
    status === 0
      ? `${tool}  no problem (${seconds} s)`
      : `${found.trimEnd()}\n${tool} found the problems above (${seconds} s)`,
  );
  return status ?? 1;
}

if (import.meta.main) await runAsProgram(checkCommand);
