/** `npm run check`: types, lint and format, beside each other; `npm run format` writes the format. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { noMore } from '../firmware-bridge/src/command-line.ts';
import { generateChanged } from './generated-code.ts';
import { command, print, runCommand } from './terminal.ts';

const HELP = {
  command: 'npm run check --',
  does: 'checks types, lint and format of the whole tree.',
  ways: [
    ['', 'finds what is wrong'],
    ['--write', 'the same as npm run format: puts every file into its format'],
  ],
  options: { write: { type: 'boolean', default: false, tells: 'formats, and checks nothing' } },
  example: 'npm run check',
  page: 'CONTRIBUTING.md#house-rules',
} as const;

const CACHED = ['--cache', '--cache-strategy', 'content', '--cache-location', '.cache/prettier'];
const CHECKS = [
  ['tsc', '-b'],
  ['oxlint', '--type-aware', '--deny-warnings'],
  ['prettier', '--check', ...CACHED, '--log-level', 'warn', '.'],
];

export const check = command(HELP, async ({ values, words }) => {
  noMore(words);
  await generateChanged();
  const checks = values.write ? [['prettier', '--write', '--log-level', 'warn', '.']] : CHECKS;
  const statuses = await Promise.all(checks.map(run));
  return Math.max(...statuses);
});

/** Runs a tool beside the others, and prints what it found in one piece. */
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
      ? `${tool}  nothing (${seconds} s)`
      : `${found.trimEnd()}\n${tool} found what is above (${seconds} s)`,
  );
  return status ?? 1;
}

if (import.meta.main) await runCommand(check);
