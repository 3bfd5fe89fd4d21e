import { existsSync } from 'node:fs';
import { join } from 'node:path';

/*
 * What each command does is told here, because `--help` has to answer on any Node and before anything is installed. A
 * command without it tells of itself.
 */
const README = 'README.md#two-commands';
const HOUSE = 'CONTRIBUTING.md#house-rules';
const bench = (script, does, words = '') => ({
  script: `tests/bench/${script}.ts`,
  does: `measures ${does}, and prints a table`,
  words,
  page: HOUSE,
});
export const commands = {
  start: {
    script: 'local/start.ts',
    does: 'runs the whole product on this machine until Ctrl-C; installs first what is missing',
    page: README,
  },
  dev: { script: 'local/start.ts', does: 'the same as npm start, with hot reload', page: README },
  test: {
    script: 'scripts/test/test.ts',
    does: 'checks types, lint and format, builds, and runs every test; of a path only its tests, without the check',
    words: '[--long | --changed] [--times] [<path>]…',
    options: {
      '--long': 'every test with its full counts',
      '--changed': 'only what a change since the last commit can break',
      '--times': 'prints the files that took longest, and how many processes were started',
    },
    page: HOUSE,
  },
  deploy: { script: 'scripts/deploy/deploy.ts' },
  bench: bench('run', 'the product on this machine'),
  'bench:api': bench('api', 'the long lists beside a bare worker'),
  'bench:scores': bench('scores', 'grading 1,000 rows anew'),
  'bench:plants': bench('plants', 'any range of ten million readings', '[<readings>]'),
  'bench:students': bench('students-screen', 'the screens of students with 5,000 rows'),
  'bench:ledger': bench('ledger-screen', "the account's timeline with 10,000 entries"),
  'bench:ingest': bench('ingest', 'readings from board to D1', '[<figure>]'),
  'bench:discovery': bench('discovery', 'how soon Home Assistant knows 500 boards'),
  'bench:live': bench('live', 'a reading on 22 open screens'),
  'bench:plants-screen': bench('plants-screen', 'the chart with 2,000 points while readings arrive'),
  'bench:backup': bench('backup', 'backup, loss and restore', '[<readings> [<pictures>]]'),
  'bench:disk': bench('disk', 'what a reading writes to the disk of DISK_FOLDER', '[<case>]'),
  'bench:scale': bench('scale', 'what a day of readings writes'),
  'bench:site': bench('site/run', 'the main page beside a hand-written one'),
};

export const asksForHelp = (args) => args.some((word) => word === '--help' || word === '-h');

/**
 * What a command answers before anything is installed: its help, or which word it does not take.
 * @returns text and exit status; undefined where it goes on
 */
export function answer(name, args) {
  const known = commands[name];
  if (known === undefined)
    return { text: `setup  there is no ${name}: ${Object.keys(commands).join(', ')}`, status: 64 };
  if (known.does !== undefined) return helpOrRefusal(name, args, known);
  if (!asksForHelp(args) || existsSync(join('node_modules', '.bin', 'node'))) return undefined;
  return { text: `npm run ${name} tells of itself once its packages are installed: npm ci`, status: 0 };
}

function helpOrRefusal(name, args, { does, words = '', options = {}, page }) {
  const typed = name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`;
  const usage = `usage: ${typed}${words === '' ? '' : ` -- ${words}`}`;
  if (asksForHelp(args)) {
    const rows = Object.entries({ ...options, '-h, --help': 'this, and nothing is done' });
    const lines = rows.map(([option, tells]) => `  ${option.padEnd(12)}${tells}`);
    const all = [`${typed}: ${does}`, '', usage, '', ...lines, '', `example: ${typed}`, `more:    ${page}`];
    return { text: all.join('\n'), status: 0 };
  }
  const isWrong = (word) =>
    word.startsWith('-') ? !Object.hasOwn(options, word) : words.replace(/\[--.*?\]/, '') === '';
  const wrong = args.find(isWrong);
  if (wrong === undefined) return undefined;
  const problem = wrong.startsWith('-') ? `there is no option ${wrong}` : `${wrong} does not belong there`;
  return { text: `${problem}\n${usage}\n${typed} -- --help tells more`, status: 64 };
}
