/**
 * Entry point of `npm start`, `npm run dev`, `npm test` and `npm run bench`: runs on whatever Node is installed,
 * installs what is missing and hands over to the project's own Node.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { INSTALLED, lockDigest } from './installed.mjs';

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
const commands = {
  start: {
    script: 'local/start.ts',
    does: 'runs the whole product on this machine until Ctrl-C; installs first what is missing',
    page: README,
  },
  dev: { script: 'local/start.ts', does: 'the same as npm start, with hot reload', page: README },
  test: {
    script: 'scripts/test.ts',
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
  'bench:homes': bench('homes', 'groups of plants that move to another database'),
  'bench:upgrade': bench('upgrade', 'the upgrade of a deployed million of readings', '[<readings>]'),
  'bench:night': bench('night', 'a night that moves old readings to R2'),
  'bench:university': bench('university', 'the boards of 200 groups on four bridges, each part killed once'),
  'bench:site': bench('site/run', 'the main page beside a hand-written one'),
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
const parent = process.ppid;
const [command = 'start', ...args] = process.argv.slice(2);
const known = commands[command];
if (known === undefined) {
  console.error(`setup  there is no ${command}: ${Object.keys(commands).join(', ')}`);
  process.exit(64);
}
const isHelp = args.some((word) => word === '--help' || word === '-h');
if (known.does !== undefined) tellOrRefuse(known);
else if (isHelp && !existsSync(join('node_modules', '.bin', 'node'))) {
  console.log(`npm run ${command} tells of itself once its packages are installed: npm ci`);
  process.exit(0);
}

try {
  if (!isHelp) await installPackages();
  if (command === 'test' || command.startsWith('bench')) await installSystemPackages(args.includes('--long'));
} catch (error) {
  console.error(`setup  ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
handOver();

/** Prints the command's help, or names the word that it does not take; otherwise returns. */
function tellOrRefuse({ does, words = '', options = {}, page }) {
  const typed = command === 'start' || command === 'test' ? `npm ${command}` : `npm run ${command}`;
  const usage = `usage: ${typed}${words === '' ? '' : ` -- ${words}`}`;
  if (isHelp) {
    const rows = Object.entries({ ...options, '-h, --help': 'this, and nothing is done' });
    const lines = rows.map(([option, tells]) => `  ${option.padEnd(12)}${tells}`);
    console.log(
      [`${typed}: ${does}`, '', usage, '', ...lines, '', `example: ${typed}`, `more:    ${page}`].join('\n'),
    );
    process.exit(0);
  }
  const isWrong = (word) =>
    word.startsWith('-') ? !Object.hasOwn(options, word) : words.replace(/\[--.*?\]/, '') === '';
  const wrong = args.find(isWrong);
  if (wrong === undefined) return;
  const problem = wrong.startsWith('-') ? `there is no option ${wrong}` : `${wrong} does not belong there`;
  console.error(`${problem}\n${usage}\n${typed} -- --help tells more`);
  process.exit(64);
}

/** Runs `npm ci`, unless node_modules was installed from this very lock file. */
async function installPackages() {
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === lockDigest()) return;
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('packages (npm ci)', npm ? process.execPath : 'npm', npm ? [npm, ...args] : args);
}

/** Runs a long step, showing only its progress; on failure the error contains its output. */
function run(name, command, args) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  console.log(`setup  installing ${name}`);
  const progress = setInterval(() => console.log(`setup  still installing ${name} (${seconds()} s)`), 10_000);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      clearInterval(progress);
      if (code !== 0) return reject(new Error(`${command} ${args.join(' ')} failed\n${output}`));
      console.log(`setup  installed ${name} (${seconds()} s)`);
      return resolve();
    });
  });
}

/** Installs browser and broker for the tests. If that fails, the tests that need them are skipped. */
async function installSystemPackages(isLong) {
  const wanted = [
    { file: '/usr/bin/chromium-headless-shell', packages: ['chromium-headless-shell', 'fonts-noto-cjk'] },
    { file: '/usr/sbin/mosquitto', packages: ['mosquitto'] },
    // The bridge's package is installed in a Debian of its own.
    ...(isLong
      ? [
          { file: '/usr/bin/mmdebstrap', packages: ['mmdebstrap'] },
          { file: '/usr/bin/systemd-nspawn', packages: ['systemd-container'] },
        ]
      : []),
  ];
  const missing = wanted.filter(({ file }) => !existsSync(file)).flatMap(({ packages }) => packages);
  if (missing.length === 0) return;
  const names = missing.join(', ');
  const canInstall =
    process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!canInstall) {
    console.log(`setup  not on this machine: ${names}; the tests that need them will be skipped`);
    return;
  }
  try {
    await run('package lists (apt-get)', 'apt-get', ['update']);
    await run(names, 'apt-get', ['install', '-y', '--no-install-recommends', ...missing]);
  } catch (error) {
    console.log(
      `setup  going on without ${names}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Runs the command's script on the installed Node, forwards signals and exits as it does. */
function handOver() {
  const bin = join(root, 'node_modules', '.bin');
  const node = join(bin, process.platform === 'win32' ? 'node.cmd' : 'node');
  const { script } = known;
  const options = command === 'dev' ? ['--dev', ...args] : args;
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', script, ...options], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, PATH: `${bin}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}` },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // Ctrl-C already reaches the whole process group; forwarding it would signal twice.
    process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
  }
  // npm starts this under a shell that a signal kills without notifying us.
  if (process.env.npm_lifecycle_event) {
    const orphaned = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(orphaned);
      child.kill('SIGTERM');
    }, 500);
    orphaned.unref();
  }
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 128 + constants.signals[signal] : (code ?? 1);
  });
}
