/**
 * Starts the commands of setup-help.mjs, such as `npm start` and `npm test`. Runs on any installed Node,
 * installs missing packages, and then runs the command's script with the project's own Node.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answer, asksForHelp, commands } from './setup-help.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
const parent = process.ppid;
const [command = 'start', ...args] = process.argv.slice(2);
const answered = answer(command, args);
if (answered !== undefined) {
  if (answered.status === 0) console.log(answered.text);
  else console.error(answered.text);
  process.exit(answered.status);
}
const isHelp = asksForHelp(args);

try {
  if (!isHelp) await installPackages();
  if (['test', 'bench', 'screenshots'].includes(command))
    await installSystemPackages(args.includes('--long'));
} catch (error) {
  console.error(`setup  ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
handOver();

/** Runs `npm ci`, unless node_modules matches the lock file. */
async function installPackages() {
  if (isInstalled()) return;
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('packages (npm ci)', npm ? process.execPath : 'npm', npm ? [npm, ...args] : args);
}

/** Compares with npm's lock file in node_modules, which does not have the packages of other platforms. */
function isInstalled() {
  const left = 'node_modules/.package-lock.json';
  if (!existsSync(left)) return false;
  const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  const [wanted, found] = [packagesOf('package-lock.json'), packagesOf(left)];
  return (
    Object.keys(found).every((path) => path in wanted) &&
    Object.entries(wanted).every(
      ([path, { version, optional }]) => path === '' || optional || found[path]?.version === version,
    )
  );
}

/** Runs a long step and prints only its progress; if it fails, the error has its output. */
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
    // The test of the bridge's package installs the package in a separate Debian.
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
    console.log(`setup  not installed: ${names}; the tests that need them will be skipped`);
    return;
  }
  try {
    await run('package lists (apt-get)', 'apt-get', ['update']);
    await run(names, 'apt-get', ['install', '-y', '--no-install-recommends', ...missing]);
  } catch (error) {
    console.log(
      `setup  continuing without ${names}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Runs the command's script with the project's Node, forwards signals, and exits with the same status. */
function handOver() {
  const bin = join(root, 'node_modules', '.bin');
  const node = join(bin, process.platform === 'win32' ? 'node.cmd' : 'node');
  const { script } = commands[command];
  const options = command === 'dev' ? ['--dev', ...args] : args;
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', script, ...options], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, PATH: `${bin}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}` },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // Ctrl-C already reaches the child, which is in the same process group.
    process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
  }
  // npm runs this process in a shell. If a signal kills the shell, nothing tells this process.
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
