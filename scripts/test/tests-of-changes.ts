/**
 * Chooses the tests of `npm test -- --changed`: all tests that a change can break. A test is chosen if it
 * imports the changed file, directly or not; if its text contains the path of the file or of its folder; or
 * if it runs a part of the product that has the file and, as far as is known, uses a feature of the file.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, existsSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { readImports, pathsNamedIn } from './imports.ts';
import { readTestTimes } from './test-run.ts';

/** The entry point of each part of the product. */
const MAINS = {
  api: 'worker/src/app.ts',
  ingest: 'ingest/src/app.ts',
  bridge: 'firmware-bridge/src/main.ts',
  product: 'local/start.ts',
};
/** What these files import is not followed. Tables are listed because workers get them from migrations. */
const ends = new Set([
  ...Object.values(MAINS),
  'db/users.ts',
  'db/courses.ts',
  'db/access-log.ts',
  'db/plants.ts',
]);

const CODE = /\.[mc]?[jt]sx?$/;
/** A file whose text contains the path of one of these programs starts that program. */
const PROGRAM = /^(local|scripts|firmware-bridge|tests)\/.*\.[mc]?ts$/;

const known = new Map<string, string[]>();

/** What a file imports, even only types, and the programs whose paths it contains; for a test, all paths. */
function stepsFrom(file: string): string[] {
  const steps = known.get(file);
  if (steps) return steps;
  const isCode = CODE.test(file) && existsSync(file);
  // This file contains paths of programs, but it starts none of them.
  const named = isCode && !file.endsWith('/tests-of-changes.ts') ? pathsNamedIn(file) : [];
  const kept = [
    ...(isCode ? readImports(file).map(({ to }) => to) : []),
    ...(file.startsWith('tests/') ? named : named.filter((path) => PROGRAM.test(path))),
  ];
  known.set(file, kept);
  return kept;
}

/** By file: all files that it depends on. What the files in `ends` import is not followed. */
const reached = new Map<string, Set<string>>();
function reachedFrom(start: string): Set<string> {
  const before = reached.get(start);
  if (before) return before;
  const seen = new Set([start]);
  for (const file of seen)
    if (file === start || !ends.has(file)) for (const to of stepsFrom(file)) seen.add(to);
  reached.set(start, seen);
  return seen;
}

/** Whether a file depends on another by imports and paths. A file depends on itself. */
export const dependsOn = (from: string, to: string) => reachedFrom(from).has(to);

/** Stands for all pages. */
const EVERY_PAGE = '*';

const app = readFileSync(MAINS.api, 'utf8');
const routesOfApi = [...app.matchAll(/\.route\('(?<path>(?<address>\/\w+)[^']*)', (?<name>\w+)\)/g)].map(
  ({ groups: { path = '', address = '', name = '' } = {} }) => {
    const [, source = ''] =
      new RegExp(`^import {[^}]*\\b${name}\\b[^}]*} from '\\./(.+)'`, 'm').exec(app) ?? [];
    return { path, address, name, source: `worker/src/${source}` };
  },
);

/** The API's paths, without `/api`, whose handlers use the file; and words for scheduled tasks that do. */
function addressesOf(file: string): string[] {
  const ofRoutes = routesOfApi.filter(({ source }) => dependsOn(source, file));
  const tasks = ['worker/src/retention.ts', 'worker/src/watch/watch.ts', 'worker/src/tasks/run-task.ts'];
  const ofTasks = tasks.some((task) => dependsOn(task, file))
    ? ['retention', 'watch', 'scheduled', 'cron']
    : [];
  return [...new Set([...ofRoutes.map(({ address }) => address), ...ofTasks])];
}

const HANDLER = /^[^\n]*\.(get|post|put|patch|delete)\(\s*'(\/[^']*)'/;

/**
 * The routes, such as `POST /api/courses`, whose handlers contain all changed lines of a routes file;
 * undefined if a line outside of the handlers has changed. @param diff has the whole file as context
 */
export function routesChangedBy(diff: string): string[] | undefined {
  const lines = diff.split('\n').slice(diff.split('\n').findIndex((line) => line.startsWith('@@')) + 1);
  const changed: string[] = [];
  let name = '';
  let routes: string[] | undefined;
  for (const [at, marked] of lines.entries()) {
    const line = marked.slice(1);
    if (/^\S/.test(line)) {
      name = /^export const (\w+) = new Hono/.exec(line)?.[1] ?? '';
      routes = undefined;
    }
    const [, method = '', path] = HANDLER.exec(`${line}\n${lines[at + 1]?.slice(1)}`) ?? [];
    if (path !== undefined)
      routes = routesOfApi
        .filter((route) => route.name === name)
        .map((route) => `${method.toUpperCase()} ${logged(`${route.path}/${path}`)}`);
    if (!/^[+-]/.test(marked)) continue;
    if (routes === undefined) return undefined;
    changed.push(...routes);
  }
  return changed.length === 0 ? undefined : changed;
}
const logged = (path: string) => `/api${path.replaceAll(/\/+/g, '/').replace(/\/$/, '')}`;

const LAYOUTS = /\/(__root|_signed-in)\.tsx$/;

/** The paths of the pages that show the file's content. */
export function pagesRendering(file: string): string[] {
  const besides = besidesSources(file);
  if (besides) return besides;
  const sources = globSync('web/src/**/*.{ts,tsx}');
  const routes = sources.filter((source) => source.startsWith('web/src/routes/'));
  const drawing = routes.filter((route) => dependsOn(route, file));
  // If no route imports the file, as with a style, the file affects all pages.
  const isOfAll = file.startsWith('web/src/') && drawing.length === 0;
  if (isOfAll || drawing.some((route) => LAYOUTS.test(route))) return [EVERY_PAGE];
  return [...new Set(drawing.map(addressOf))];
}

/** The pages that use a file of web/ outside of web/src/; undefined for any other file. */
function besidesSources(file: string): string[] | undefined {
  if (!file.startsWith('web/') || file.startsWith('web/src/')) return undefined;
  if (file.startsWith('web/public/markdown/')) return ['/docs'];
  if (file.startsWith('web/functions/')) return ['/', 'functions'];
  return [EVERY_PAGE];
}

/** The path of a route: `/manage_plants` for `_signed-in/manage_plants.tsx`, `/docs` for `docs.$name.tsx`. */
function addressOf(route: string): string {
  const name = route
    .replace('web/src/routes/', '')
    .replace('_signed-in/', '')
    .replace(/\.tsx$/, '');
  const isPart = (part: string) => !part.includes('$') && !/^(en|ko|en_|index)$/.test(part);
  return `/${name.split('.').find(isPart) ?? ''}`;
}

/** Only these tests may run the whole product. */
const OF_PRODUCT = /^tests\/(e2e|local)\//;
/** These test helpers start a part of the product that was built. */
const STACK = 'tests/support/stack.ts';
const SHIPPED_BRIDGE = 'tests/support/shipped-bridge.ts';
/** This test helper lists all routes of the API. */
const ROUTE_TABLE = 'tests/worker/route-table.ts';

/** All builds and all tests depend on these files. */
const OF_ALL =
  /^(package(-lock)?\.json|tsconfig\.base\.json|vitest\.config\.ts|scripts\/(build\/build(-tools)?|test\/test)\.ts)$/;
/** Each request to the API runs code of these files. */
const OF_EVERY_ROUTE =
  /^(worker\/src\/(app\.ts|lib\/|session\/)|http\/|wrangler\.toml$|local\/identity-provider\/)/;
/** These files define all tables, so a change in them does not show which routes it concerns. */
const OF_ALL_TABLES = /^db\/(schema|plants)\.ts$/;
/** All tests of the workers use these folders. Those tests are fast, so all of them are run. */
const OF_EVERY_WORKER = /^(contract|db|http|migrations|content)\//;
/** A test of the whole product that contains one of these words uses the bridge. */
/** A test that contains one of these words uses the ingest worker. */
const OF_BRIDGE = /mqtt|bridge|broker|\bboard/i;
const OF_INGEST = /mqtt|bridge|broker|\bboard|ingest|reading/i;
/** These tests read the built site. The other tests of deployment only copy it. */
const READS_SITE = /^tests\/(?!deploy\/(?!dry-run))/;
/** This test bundles every worker and checks the size. */
const BUNDLES = 'tests/deploy/dry-run.test.ts';
/** A test that contains one of these words copies whole tables. */
const OF_TABLES = /migrat|archive|backup|restore/i;
/** All tests of the whole product use these. They contain all words above, so their text is not searched. */
const EVERYWHERE = /^tests\/support\/(stack|shared-stack)\.ts$/;

/** @throws Error if Git cannot list the changes */
export function changedFiles(): string[] {
  const lines = (args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  return [
    ...lines(['diff', '--name-only', '--no-renames', 'HEAD']),
    ...lines(['ls-files', '--others', '--exclude-standard']),
  ];
}

/** By test: the API's routes that it used in its last run, such as `POST /api/courses`; absent if unknown. */
type Requested = Record<string, { routes?: string[] | undefined }>;

const sinceCommit = (file: string) =>
  execFileSync('git', ['diff', '--unified=9999', 'HEAD', '--', file], { encoding: 'utf8' });

/** The tests to run after a change of these files. */
export function testsForChanges(
  changed: string[],
  requested: Requested = readTestTimes().files,
  diffOf = sinceCommit,
): string[] {
  if (changed.length === 0) return [];
  const tests = globSync('tests/**/*.test.ts').sort();
  if (changed.some((file) => OF_ALL.test(file))) return tests;
  const reasons = changed.map((file) => breaks(file, requested, diffOf));
  return tests.filter((test) => test.startsWith('tests/house/') || reasons.some((can) => can(test)));
}

/** Returns a function that says whether a change of the file can break a test. */
function breaks(file: string, requested: Requested, diffOf: typeof sinceCommit): (test: string) => boolean {
  const inApi = file.startsWith('worker/') || dependsOn(MAINS.api, file);
  const inIngest = /^(ingest|migrations\/plants)\//.test(file) || dependsOn(MAINS.ingest, file);
  const inBridge = file.startsWith('firmware-bridge/') || dependsOn(MAINS.bridge, file);
  const everyRoute = OF_EVERY_ROUTE.test(file);
  const ofEveryProduct = everyRoute || (/^(local|scripts)\//.test(file) && dependsOn(MAINS.product, file));
  const ofMigrations = file.startsWith('migrations/');
  const ofWorkers = OF_EVERY_WORKER.test(file);
  const inSite = /^(web|content)\//.test(file);
  const api = OF_ALL_TABLES.test(file) ? [] : addressesOf(file);
  const pages = pagesRendering(file).filter((page) => inSite || page !== EVERY_PAGE);
  const handlers = /^worker\/src\/.*\/routes\.ts$/.test(file) ? routesChangedBy(diffOf(file)) : undefined;
  const ofApi = (route: string) =>
    handlers?.includes(route) ??
    api.some((address) => `${route}/`.replace(/^\w+ \/api/, '').startsWith(`${address}/`));
  const aboutAll = ofEveryProduct || pages.includes(EVERY_PAGE);
  const about = aboutAll ? /./ : wordsOf([...api, ...pages], file);
  const aboutPages = aboutAll
    ? /./
    : wordsOf([...api.filter((name) => !name.startsWith('/')), ...pages], file);

  return (test) => {
    if (reads(test, file) || dependsOn(test, file)) return true;
    const says = textOf(test);
    if (test.startsWith('tests/worker/'))
      return ofWorkers || everyRoute || (inApi && (dependsOn(test, ROUTE_TABLE) || about.test(says)));
    if (test.startsWith('tests/ingest/')) return ofWorkers || inIngest;
    if (ofMigrations && test.startsWith('tests/deploy/')) return true;
    if ((inApi || inIngest) && test === BUNDLES) return true;
    if (inIngest && test.startsWith('tests/firmware') && OF_INGEST.test(says)) return true;
    if (inBridge && dependsOn(test, SHIPPED_BRIDGE)) return true;
    if (inSite && READS_SITE.test(test) && says.includes('web/dist')) return true;
    if (!OF_PRODUCT.test(test) || !dependsOn(test, STACK)) return false;
    if (inBridge && OF_BRIDGE.test(says)) return true;
    if (ofMigrations && OF_TABLES.test(says)) return true;
    if (api.length > 0 && (requested[test]?.routes?.some(ofApi) ?? true)) return true;
    return aboutPages.test(says) || (inIngest && OF_INGEST.test(says));
  };
}

/** Matches a text that contains one of the paths, or the path of tests for the file's feature. */
function wordsOf(addresses: readonly string[], file: string): RegExp {
  const [, feature = ''] = /^(?:worker\/src|web\/src\/features|contract|db)\/([\w-]+)/.exec(file) ?? [];
  const words = addresses.map((address) => (address === '/' ? MAIN_PAGE : named(address)));
  if (feature !== '') words.push(String.raw`tests/\w+/${escaped(feature)}\b`);
  return words.length === 0 ? /$^/ : new RegExp(words.join('|'));
}
/** Matches the path, but not within a longer path and not in an import. */
const named = (address: string) => String.raw`(?<=api|ko|en|[^\w/.-])${escaped(address)}\b(?!\.tsx?\b)`;
const escaped = (text: string) => text.replaceAll(/[^\w/]/g, String.raw`\$&`);
/** Matches `'/'`, `'/ko'`, `'/#people'`, `${origin}/` and similar texts. */
const MAIN_PAGE = String.raw`['"\x60}]/(?:['"\x60#?]|ko\b|en\b)`;

/** The test itself and the helpers in tests/ that it uses. */
const ownFiles = (test: string) =>
  [...reachedFrom(test)].filter(
    (file) => /^tests\/.*\.[mc]?ts$/.test(file) && (file === test || !file.endsWith('.test.ts')),
  );

const texts = new Map<string, string>();
function textOf(test: string): string {
  const text =
    texts.get(test) ??
    ownFiles(test)
      .filter((file) => !EVERYWHERE.test(file))
      .map((file) => `${file}\n${readFileSync(file, 'utf8')}`)
      .join('\n');
  texts.set(test, text);
  return text;
}

/** Whether the test reads a folder in which the file is. */
function reads(test: string, file: string): boolean {
  const folders = ownFiles(test)
    .flatMap(stepsFrom)
    .filter((path) => path.endsWith('/'));
  return (
    folders.some((folder) => file.startsWith(folder)) ||
    [...readFileSync(test, 'utf8').matchAll(/globSync\('((?:\{|\*\*)[^']*)'(?!, \{ cwd: ')/g)].some(
      ([, glob = '']) => matchesGlob(file, glob),
    )
  );
}

/** The parts to build for these tests. It is empty, which means all parts, for tests of the whole product. */
export function buildPartsForTests(tests: string[]): string[] {
  const isWhole = (test: string) =>
    dependsOn(test, STACK) || /\b(dist\/(functions|api|host-guard)|web\/dist)/.test(textOf(test));
  if (tests.some(isWhole)) return [];
  const ofBridge = tests.some((test) => test.startsWith('tests/firmware-bridge/'));
  // The configuration of the tests reads these two parts.
  return ['ingest worker', 'local identity provider', ...(ofBridge ? ['bridge'] : [])];
}
