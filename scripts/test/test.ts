/**
 * `npm test`: builds, runs all tests, and meanwhile checks types, lint and format. `--long` runs tests with
 * their full counts. `--changed` runs only tests that a change since the last commit can break. With a path,
 * it runs only the tests whose path contains that text.
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { generateChangedCode } from '../build/build-tools.ts';
import { startTestRun } from './test-run.ts';
import { changedFiles, buildPartsForTests, testsForChanges } from './tests-of-changes.ts';

const words = process.argv.slice(2);
const isLong = words.includes('--long');
const onlyChanged = words.includes('--changed');
const paths = words.filter((word) => !['--long', '--changed', '--times'].includes(word));

const { mark, marking, leftOver } = startTestRun();
const environment = {
  ...process.env,
  ...mark,
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  // Tools and parts are started many times, so Node caches their compiled code. The path is absolute, because
  // some of them run in another folder.
  NODE_COMPILE_CACHE: resolve('.cache/node'),
  ...(isLong && { FULL: '1' }),
};
const whileTesting = {
  ...environment,
  ...marking,
  ...(words.includes('--times') && { CPS_TEST_TIMES: '1' }),
};

const NODE = ['node', '--disable-warning=ExperimentalWarning'];
const CHECK = [...NODE, 'scripts/test/check.ts'];
const BUILD = [...NODE, 'scripts/build/build.ts'];

await generateChangedCode();
const status = await runTests();
const left = await leftOver();
if (left !== undefined)
  console.error(`test  a defect: tests left these processes running, now killed: ${left}`);
process.exit(status);

async function runTests(): Promise<number> {
  if (onlyChanged) return await testChanged();
  if (paths.length > 0) return await testPaths();
  return await beside(CHECK, async () => {
    const built = await step('build', BUILD);
    if (built !== 0) return built;
    return await step('test', ['vitest', 'run'], whileTesting);
  });
}

async function testChanged(): Promise<number> {
  const changed = changedFiles();
  const tests = [...new Set([...matching(paths), ...testsForChanges(changed)])];
  return await beside([...CHECK, ...changed], async () => {
    if (tests.length > 0) return await testOnly(tests, 'which these changes cannot break');
    console.log('test  no test depends on what has changed');
    return 0;
  });
}

async function testPaths(): Promise<number> {
  const tests = matching(paths);
  if (tests.length > 0) return await testOnly(tests, 'and types, lint and format were not checked');
  console.error(`test  no test file has ${paths.join(' or ')} in its path`);
  return 1;
}

async function testOnly(tests: string[], left: string): Promise<number> {
  const built = await step('build', [...BUILD, ...buildPartsForTests(tests)]);
  if (built !== 0) return built;
  const tested = await step('test', ['vitest', 'run', ...tests], whileTesting);
  console.log(`test  ${allTests().length - tests.length} files were left out, ${left}: npm test runs all`);
  return tested;
}

function allTests(): string[] {
  return globSync('tests/**/*.test.ts');
}

/** The test files whose path contains one of these texts, as Vitest chooses them. */
function matching(parts: string[]): string[] {
  const wanted = parts.map((part) => part.replace(/^\.\//, '').toLowerCase());
  return allTests().filter((test) => wanted.some((part) => test.toLowerCase().includes(part)));
}

/** Runs the check during `work`. If it fails, repeats its output at the end. @returns the worse status */
async function beside(check: string[], work: () => Promise<number>): Promise<number> {
  let found = '';
  const checked = step('check', check, environment, (text) => (found += text)).then((code) => {
    console.log(found.trimEnd());
    return code;
  });
  const worked = await work();
  const code = await checked;
  if (code !== 0) console.error(`\n${found.trimEnd()}\ncheck  failed`);
  return Math.max(worked, code);
}

/** Runs a command and returns its status. `take` gets the output; with it the command has a low priority. */
async function step(
  name: string,
  command: string[],
  env: NodeJS.ProcessEnv = environment,
  take?: (text: string) => void,
): Promise<number> {
  const started = Date.now();
  console.log(`${name}  ${command.join(' ')}`);
  const [program = '', ...rest] = command;
  const child = spawn(program, rest, { stdio: take ? ['ignore', 'pipe', 'pipe'] : 'inherit', env });
  if (take && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => take?.(chunk.toString()));
  const code = await new Promise<number>((resolve) => {
    child.on('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on('close', (status) => resolve(status ?? 1));
  });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  if (code !== 0) console.error(`${name}  failed after ${seconds} s`);
  else console.log(`${name}  done (${seconds} s)`);
  return code;
}
