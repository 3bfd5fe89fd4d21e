import { existsSync } from 'node:fs';
import { join } from 'node:path';

/*
 * The help of the commands that setup.mjs starts: it must work on any Node and before packages are installed.
 * Other commands have their help in their own files.
 */
const README = 'README.md#two-commands';
const HOUSE = 'CONTRIBUTING.md#house-rules';
const lan = {
  words: '[--lan [<plant>]…]',
  wordsBehind: '--lan',
  options: {
    '--lan': 'lets boards of the local network connect: docs/first-board.md; all else stays on this machine',
  },
};
export const commands = {
  start: {
    script: 'local/start.ts',
    does: 'runs the whole product on this machine until Ctrl-C; first installs missing packages',
    ...lan,
    page: README,
  },
  dev: { script: 'local/start.ts', does: 'the same as npm start, with hot reload', ...lan, page: README },
  test: {
    script: 'scripts/test/test.ts',
    does: 'checks types, lint and format, builds, and runs every test; with a path, runs only the tests there',
    words: '[--long | --changed] [--times] [<path>]…',
    options: {
      '--long': 'every test with its full counts',
      '--changed': 'only tests that a change since the last commit can break',
      '--times': 'prints the slowest files, and how many processes were started',
    },
    page: HOUSE,
  },
  deploy: { script: 'scripts/deploy/deploy.ts' },
  bench: {
    script: 'tests/bench/run.ts',
    does: 'runs a benchmark and prints a table; without a name it lists the benchmarks',
    words: '[<name> [<word>]…]',
    page: HOUSE,
  },
  screenshots: {
    script: 'tests/support/screenshots.ts',
    does: 'starts the product with its demo data and takes the screenshots of README.md again',
    page: HOUSE,
  },
};

export const asksForHelp = (args) => args.some((word) => word === '--help' || word === '-h');

/**
 * A command's answer before packages are installed: its help, or the first wrong argument.
 * @returns text and exit status; undefined if the command should continue
 */
export function answer(name, args) {
  const known = commands[name];
  if (known === undefined)
    return { text: `setup  there is no command ${name}: ${Object.keys(commands).join(', ')}`, status: 64 };
  if (known.does !== undefined) return helpOrRefusal(name, args, known);
  if (!asksForHelp(args) || existsSync(join('node_modules', '.bin', 'node'))) return undefined;
  return { text: `the help of npm run ${name} needs the installed packages: run npm ci first`, status: 0 };
}

function helpOrRefusal(name, args, { does, words = '', wordsBehind, options = {}, page }) {
  const typed = name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`;
  const usage = `usage: ${typed}${words === '' ? '' : ` -- ${words}`}`;
  if (asksForHelp(args)) {
    const rows = Object.entries({ ...options, '-h, --help': 'prints this help and does nothing else' });
    const lines = rows.map(([option, tells]) => `  ${option.padEnd(12)}${tells}`);
    const all = [`${typed}: ${does}`, '', usage, '', ...lines, '', `example: ${typed}`, `more:    ${page}`];
    return { text: all.join('\n'), status: 0 };
  }
  const isWrong = (word) =>
    word.startsWith('-')
      ? !Object.hasOwn(options, word)
      : words.replace(/\[--.*?\]/, '') === '' || (wordsBehind !== undefined && !args.includes(wordsBehind));
  const wrong = args.find(isWrong);
  if (wrong === undefined) return undefined;
  const problem = wrong.startsWith('-') ? `there is no option ${wrong}` : `unexpected argument ${wrong}`;
  return { text: `${problem}\n${usage}\n${typed} -- --help explains it`, status: 64 };
}
