/**
 * `npm test`: types, lint and format in parallel with the build, then every test. `--long` runs the full counts,
 * `--changed` only the tests affected by changes since the last commit.
 */
import { spawn } from 'node:child_process';
import { testsOfChanges } from './tests-of-changes.ts';

const [...args] = process.argv.slice(2);
const isLong = args.includes('--long');
const onlyChanged = args.includes('--changed');
const filters = args.filter((arg) => arg !== '--long' && arg !== '--changed');

const environment = {
  ...process.env,
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  // The tools and the product's parts are started many times.
  NODE_COMPILE_CACHE: '.cache/node',
  ...(isLong && { FULL: '1' }),
};

await step('generate', ['node', 'web/generate.ts']);
await Promise.all([
  step('check', ['npm', 'run', '--silent', 'check']),
  step('build', ['node', 'scripts/build.ts']),
]);
const tests = onlyChanged ? [...filters, ...testsOfChanges()] : filters;
if (onlyChanged && tests.length === 0) console.log('test  nothing has changed that a test is about');
else await step('test', ['vitest', 'run', ...tests]);

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
