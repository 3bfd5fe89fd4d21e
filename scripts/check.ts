/** `npm run check`: types, lint and format; `npm run format` writes the format. Ends with the first that finds something. */
import { spawnSync } from 'node:child_process';
import { noMore } from '../firmware-bridge/src/command-line.ts';
import { command, runCommand } from './terminal.ts';

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
  for (const [program = '', ...args] of values.write
    ? [['prettier', '--write', '--log-level', 'warn', '.']]
    : CHECKS) {
    const { status, error } = spawnSync(program, args, {
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    if (error) throw error;
    if (status !== 0) throw new Error(`${program} found what is above`);
  }
});

if (import.meta.main) await runCommand(check);
