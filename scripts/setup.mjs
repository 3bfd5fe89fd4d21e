/**
 * The door of `npm start`, `npm run dev`, `npm test` and `npm run bench`: runs on whatever Node there is, installs
 * what is missing and hands over to the project's own Node.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const scripts = {
  start: 'local/start.ts',
  dev: 'local/start.ts',
  test: 'scripts/test.ts',
  bench: 'tests/bench/run.ts',
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
const [command = 'start', ...args] = process.argv.slice(2);

try {
  installPackages();
  if (command === 'test' || command === 'bench') installSystemPackages();
} catch (error) {
  console.error(`setup  ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
handOver();

/** `npm ci`, unless what stands in node_modules was installed from this very lock file. */
function installPackages() {
  const stamp = 'node_modules/.installed-lock';
  const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.log('setup  installing packages (npm ci), about a minute');
  const npm = process.env.npm_execpath;
  const started = Date.now();
  const options = { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' };
  const ciArgs = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const done = npm
    ? spawnSync(process.execPath, [npm, ...ciArgs], options)
    : spawnSync('npm', ciArgs, { ...options, shell: process.platform === 'win32' });
  if (done.status !== 0) throw new Error(`npm ci failed\n${done.stdout ?? ''}${done.stderr ?? done.error}`);
  mkdirSync('node_modules', { recursive: true });
  writeFileSync(stamp, lock);
  console.log(`setup  packages installed (${((Date.now() - started) / 1000).toFixed(0)} s)`);
}

/** Browser and broker for the tests. Where they cannot be installed, the tests that need them say so. */
function installSystemPackages() {
  const wanted = [
    { file: '/usr/bin/chromium', packages: ['chromium', 'fonts-noto-cjk'] },
    { file: '/usr/sbin/mosquitto', packages: ['mosquitto'] },
  ];
  const missing = wanted.filter(({ file }) => !existsSync(file)).flatMap(({ packages }) => packages);
  if (missing.length === 0) return;
  const canInstall =
    process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!canInstall) {
    console.log(`setup  not installed here: ${missing.join(', ')}; tests that need them will be skipped`);
    return;
  }
  console.log(`setup  installing ${missing.join(', ')} (apt-get)`);
  const options = { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' };
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update'], { ...options, env });
  const done = spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...missing], {
    ...options,
    env,
  });
  if (done.status !== 0)
    console.log(`setup  apt-get failed, going on without: ${done.stderr.trim().split('\n').at(-1)}`);
}

/** Runs the command's script on the installed Node and ends as it ends; signals are passed on to it. */
function handOver() {
  const bin = join(root, 'node_modules', '.bin');
  const node = join(bin, process.platform === 'win32' ? 'node.cmd' : 'node');
  const script = scripts[command];
  if (script === undefined) {
    console.error(`setup  unknown command ${command}; there are: ${Object.keys(scripts).join(', ')}`);
    process.exit(1);
  }
  const options = command === 'dev' ? ['--dev', ...args] : args;
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', script, ...options], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, PATH: `${bin}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}` },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // Ctrl-C reaches the whole process group by itself; passing it on would only say it twice.
    process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
  }
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 128 + constants.signals[signal] : (code ?? 1);
  });
}
