/**
 * `npm test`: types, lint and format in parallel with the build, then every test. `--long` runs the full counts.
 * `--changed` looks at what has changed since the last commit: it lints, builds and tests only that.
 */
import { spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { resolve } from 'node:path';
import { changedFiles, testsOf } from './tests-of-changes.ts';

const [...args] = process.argv.slice(2);
const isLong = args.includes('--long');
const onlyChanged = args.includes('--changed');
const filters = args.filter((arg) => arg !== '--long' && arg !== '--changed');

const environment = {
  ...process.env,
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  // The tools and the product's parts are started many times.
  // Absolute, because some of them run in another folder.
  NODE_COMPILE_CACHE: resolve('.cache/node'),
  ...(isLong && { FULL: '1' }),
};

const BUILD = ['node', '--disable-warning=ExperimentalWarning', 'scripts/build.ts'];
const BEHIND_A_QUEUE = ['env', 'READINGS_QUEUE=on', 'vitest', 'run', 'tests/firmware-bridge/faults'];

await step('generate', ['node', 'web/generate.ts']);
if (onlyChanged) await testChanged(changedFiles());
else {
  await Promise.all([step('check', ['npm', 'run', '--silent', 'check']), step('build', BUILD)]);
  await step('test', ['vitest', 'run', ...filters]);
  if (isLong && filters.length === 0) await step('faults behind a queue', BEHIND_A_QUEUE);
}

async function testChanged(changed: string[]): Promise<void> {
  const tests = [...filters, ...testsOf(changed)];
  const there = changed.filter((file) => existsSync(file));
  const sources = there.filter((file) => /\.[mc]?tsx?$/.test(file));
  await Promise.all([
    (async () => {
      await step('types', ['tsc', '-b']);
      if (sources.length > 0) await step('lint', ['oxlint', '--type-aware', '--deny-warnings', ...sources]);
      if (there.length > 0) await step('format', ['prettier', '--check', '--ignore-unknown', ...there]);
    })(),
    step('build', [...BUILD, ...partsOf(tests)]),
  ]);
  if (tests.length === 0) return console.log('test  nothing has changed that a test is about');
  await step('test', ['vitest', 'run', ...tests]);
  const left = globSync('tests/**/*.test.ts').length - tests.length;
  console.log(`test  ${left} files are left to the whole run: npm test`);
}

/** Parts of the build that these tests run; all of them for tests of the whole product. */
function partsOf(tests: string[]): string[] {
  if (tests.some((test) => /^tests\/(e2e|local|deploy\/(deploy|dry-run))/.test(test))) return [];
  const ofBridge = tests.some((test) => test.startsWith('tests/firmware-bridge/'));
  // The configuration of the tests reads these two.
  return ['ingest worker', 'local identity provider', ...(ofBridge ? ['bridge'] : [])];
}

/** Exits the whole run with the command's status if it fails. */
async function step(name: string, command: string[]): Promise<void> {
  const started = Date.now();
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
  console.log(`${name}  ${command.join(' ')}`);
  const [program = '', ...rest] = command;
  const child = spawn(program, rest, { stdio: 'inherit', env: environment });
  const code = await new Promise<number>((resolve) => {
    child.on('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on('close', (status) => resolve(status ?? 1));
  });
  if (code !== 0) {
    console.error(`${name}  failed after ${seconds()}`);
    process.exit(code);
  }
  if (name !== 'test') console.log(`${name}  done (${seconds()})`);
}
