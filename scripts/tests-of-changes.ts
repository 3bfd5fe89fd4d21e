/**
 * Chooses the tests of `npm test -- --changed`: those that import what has changed, and those about the same feature in
 * the worker and in the browser. What runs the whole product for another reason is left to the whole run.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { basename } from 'node:path';
import { importsOf } from './imports.ts';

/** Features whose tests begin with words other than the feature's name. */
const words: Record<string, string[]> = {
  'access-log': ['access-log', 'users'],
  claims: ['claims', 'users'],
  errors: ['refused', 'signed-out'],
  health: ['health', 'watch'],
  landing: ['landing', 'public', 'map', 'navigation'],
  ledger: ['ledger', 'receipts'],
  login: ['login', 'newcomer', 'signed-out', 'old-tab'],
  people: ['claims', 'users', 'personal-data'],
  pictures: ['picture', 'students-picture', 'upload'],
  roster: ['students', 'claims'],
  session: ['session', 'login', 'newcomer', 'signed-out'],
  settings: ['navigation', 'newcomer'],
  students: ['students', 'claims'],
  tasks: ['watch', 'retention'],
};

/** Parts that belong to no feature, and the tests that run them without importing them. */
const parts: [part: RegExp, tests: string][] = [
  [/^(worker\/src\/(lib\/|app\.ts)|http\/|db\/(client|sql|json)\.ts)/, 'tests/worker/*.test.ts'],
  [/^(ingest|http)\//, 'tests/ingest/*.test.ts'],
  [/^firmware-bridge\//, 'tests/firmware-bridge/session.test.ts'],
  [/^local\//, 'tests/local/{start,running}.test.ts'],
  [/^migrations\//, 'tests/{deploy/{upgrade,table-rebuild,triggers},worker/schema}.test.ts'],
  [/^scripts\/backup\//, 'tests/local/{backup,backup-command,local-store,drill}.test.ts'],
  [/^scripts\/(grant|person|bridge-key|mention|operator)/, 'tests/local/operator.test.ts'],
  [/^scripts\/(dead-letters|replay)\.ts/, 'tests/firmware-bridge/commands.test.ts'],
  [/^scripts\/deploy\//, 'tests/deploy/{deploy,dry-run}.test.ts'],
  [/^web\/functions\//, 'tests/e2e/functions-*.test.ts'],
  [/^web\/vite\//, 'tests/e2e/public-site.test.ts'],
];

/** To import one of these is to run all that is behind it, which says nothing of a part. */
const wholes = new Set(['worker/src/app.ts', 'ingest/src/app.ts', 'tests/worker/route-table.ts']);

/** They start the product, or one of its processes. */
const starters = [
  'tests/support/stack.ts',
  'tests/firmware-bridge/support/bridge.ts',
  'tests/deploy/deployment.ts',
];

/** @throws Error when Git cannot say what has changed */
export function changedFiles(): string[] {
  const lines = (args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  return [
    ...lines(['diff', '--name-only', 'HEAD']),
    ...lines(['ls-files', '--others', '--exclude-standard']),
  ];
}

/** The tests to run after these files have changed. */
export function testsOf(changed: string[]): string[] {
  if (changed.length === 0) return [];
  const importing = testsImporting(changed);
  const isProved = (file: string) => isRule(file) && importing.some((test) => test.startsWith('tests/web/'));
  const about = [
    ...testsAbout(changed).filter((test) => !runsProduct(test)),
    ...testsAbout(changed.filter((file) => !isProved(file))),
  ];
  return [...new Set([...importing, ...about, ...globSync('tests/house/*.test.ts')])].sort();
}

/** A rule of the field stands alone: its own tests say more of it than a browser does. */
const isRule = (file: string) =>
  /^web\/src\/features\/.*\.ts$/.test(file) &&
  !/\/(address|labels|queries|use-[^/]+|[^/]+-flow)\.ts$/.test(file);

/**
 * Test files from which imports lead to one of these. What runs the product has many reasons to import; a test that
 * names the changed file itself is about it all the same, unless it drives a browser or makes faults.
 */
function testsImporting(changed: string[]): string[] {
  const isOfTests = changed.some((file) => file.startsWith('tests/'));
  const names = (test: string) => importsWhenRun(test).some((to) => changed.includes(to));
  return globSync('tests/**/*.test.ts').filter(
    (test) =>
      leads(test, changed) &&
      (isOfTests || !runsProduct(test) || (names(test) && !/\/(e2e|faults)\//.test(test))),
  );
}

const runsProduct = (test: string) => leads(test, starters);

const known = new Map<string, string[]>();

/** Types are gone when the code runs; one of the contract that a test names stands for its schema. */
function importsWhenRun(file: string): string[] {
  const found =
    known.get(file) ??
    importsOf(file)
      .filter(({ to, isType }) => !isType || (file.startsWith('tests/') && to.startsWith('contract/')))
      .filter(({ to }) => !wholes.has(to) && /\.tsx?$/.test(to) && existsSync(to))
      .map(({ to }) => to);
  known.set(file, found);
  return found;
}

/** Whether imports lead from the file to one of the goals. */
function leads(file: string, goals: string[], seen = new Set<string>()): boolean {
  if (goals.includes(file)) return true;
  if (seen.has(file)) return false;
  seen.add(file);
  return importsWhenRun(file).some((to) => leads(to, goals, seen));
}

/** Test files about the parts that contain these files, matched by name. */
export function testsAbout(changed: string[]): string[] {
  const all = globSync('tests/{contract,web,worker,e2e}/*.test.ts');
  const named = changed.flatMap(featuresOf).flatMap((feature) => words[feature] ?? [feature]);
  const whole = parts.filter(([part]) => changed.some((file) => part.test(file))).map(([, tests]) => tests);
  return [...all.filter((test) => named.some((word) => basename(test).startsWith(word))), ...globSync(whole)];
}

/** A route is of the features that it shows. */
function featuresOf(file: string): string[] {
  const feature = (path: string) =>
    /^(?:web\/src\/features|worker\/src)\/([^/.]+)\//.exec(path)?.[1] ??
    /^(?:contract|db)\/([^/.]+)\.ts$/.exec(path)?.[1];
  const paths =
    file.startsWith('web/src/routes/') && existsSync(file) ? importsOf(file).map(({ to }) => to) : [file];
  return paths.flatMap((path) => feature(path) ?? []);
}
