/**
 * Chooses the tests of `npm test -- --changed`: all that a change can break. A test is chosen when imports lead from it to
 * the changed file, when it names the file or its folder, and when it runs a part of the product in which the file is. Of
 * a part with many features it must have to do with one that the file belongs to; where that is not known, it is chosen.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { addressesOf, EVERY_PAGE, pagesOf } from './addresses.ts';
import { leads, MAINS, reachedFrom, stepsFrom } from './reach.ts';

/** They start a part from what is built. */
const STACK = 'tests/support/stack.ts';
const SHIPPED_BRIDGE = 'tests/support/shipped-bridge.ts';
/** It knows every route of the API. */
const ROUTE_TABLE = 'tests/worker/route-table.ts';

/** Whatever is built or tested depends on them. */
const OF_ALL =
  /^(package(-lock)?\.json|tsconfig\.base\.json|vitest\.config\.ts|scripts\/(build\/build(-tools)?|test\/test)\.ts)$/;
/** Every request to the API goes through them. */
const OF_EVERY_ROUTE =
  /^(worker\/src\/(app\.ts|lib\/|session\/)|http\/|wrangler\.toml$|local\/identity-provider\/)/;
/** All tables are in these: which one has changed is told by what has changed beside them. */
const OF_ALL_TABLES = /^db\/(schema|plants)\.ts$/;
/** Tests of workers are cheap, and what reads rows or parses bodies is in every one of them. */
const OF_EVERY_WORKER = /^(contract|db|http|migrations|content)\//;
/** What tests of the whole product say when boards and their readings are their subject. */
const OF_BRIDGE = /mqtt|bridge|broker|\bboard/i;
const OF_INGEST = /mqtt|bridge|broker|\bboard|ingest|reading/i;
/** A deployment only carries the site. */
const READS_SITE = /^tests\/(?!deploy\/(?!dry-run))/;
/** And when what is stored is moved as a whole, table by table. */
const OF_TABLES = /migrat|archive|backup|restore/i;
/** They say all of this for every test of the whole product. */
const EVERYWHERE = /^tests\/support\/(stack|shared-stack)\.ts$/;

/** @throws Error when Git cannot say what has changed */
export function changedFiles(): string[] {
  const lines = (args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  return [
    ...lines(['diff', '--name-only', '--no-renames', 'HEAD']),
    ...lines(['ls-files', '--others', '--exclude-standard']),
  ];
}

/** The tests to run after these files have changed. */
export function testsOf(changed: string[]): string[] {
  if (changed.length === 0) return [];
  const tests = globSync('tests/**/*.test.ts').sort();
  if (changed.some((file) => OF_ALL.test(file))) return tests;
  const reasons = changed.map(breaks);
  return tests.filter((test) => test.startsWith('tests/house/') || reasons.some((can) => can(test)));
}

/** Whether a change of the file can break a test. */
function breaks(file: string): (test: string) => boolean {
  const inApi = file.startsWith('worker/') || leads(MAINS.api, file);
  const inIngest = /^(ingest|migrations\/plants)\//.test(file) || leads(MAINS.ingest, file);
  const inBridge = file.startsWith('firmware-bridge/') || leads(MAINS.bridge, file);
  const everyRoute = OF_EVERY_ROUTE.test(file);
  const ofEveryProduct = everyRoute || (/^(local|scripts)\//.test(file) && leads(MAINS.product, file));
  const ofMigrations = file.startsWith('migrations/');
  const ofWorkers = OF_EVERY_WORKER.test(file);
  const inSite = /^(web|content)\//.test(file);
  const api = OF_ALL_TABLES.test(file) ? [] : addressesOf(file);
  const pages = pagesOf(file).filter((page) => inSite || page !== EVERY_PAGE);
  const about = ofEveryProduct || pages.includes(EVERY_PAGE) ? /./ : wordsOf([...api, ...pages], file);

  return (test) => {
    if (reads(test, file) || leads(test, file)) return true;
    const says = textOf(test);
    if (test.startsWith('tests/worker/'))
      return ofWorkers || everyRoute || (inApi && (leads(test, ROUTE_TABLE) || about.test(says)));
    if (test.startsWith('tests/ingest/')) return ofWorkers || inIngest;
    if (ofMigrations && test.startsWith('tests/deploy/')) return true;
    if (inIngest && test.startsWith('tests/firmware') && OF_INGEST.test(says)) return true;
    if (inBridge && leads(test, SHIPPED_BRIDGE)) return true;
    if (inSite && READS_SITE.test(test) && says.includes('web/dist')) return true;
    if (!leads(test, STACK)) return false;
    if (inBridge && OF_BRIDGE.test(says)) return true;
    if (ofMigrations && OF_TABLES.test(says)) return true;
    return about.test(says) || (inIngest && OF_INGEST.test(says));
  };
}

/** Matches a text that names one of the addresses, or the feature that the file belongs to. */
function wordsOf(addresses: readonly string[], file: string): RegExp {
  const [, feature = ''] = /^(?:worker\/src|web\/src\/features|contract|db)\/([\w-]+)/.exec(file) ?? [];
  const words = addresses.map((address) => (address === '/' ? MAIN_PAGE : String.raw`${escaped(address)}\b`));
  if (feature !== '') words.push(String.raw`tests/\w+/${escaped(feature)}\b`);
  return words.length === 0 ? /$^/ : new RegExp(words.join('|'));
}
const escaped = (text: string) => text.replaceAll(/[^\w/]/g, String.raw`\$&`);
/** `'/'`, `'/ko'`, `'/#people'`, `${origin}/` and the like. */
const MAIN_PAGE = String.raw`['"\x60}]/(?:['"\x60#?]|ko\b|en\b)`;

/** The test and what belongs to it, as far as they are tests themselves. */
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

/** Whether the test reads a folder with the file in it, or all that there is. */
function reads(test: string, file: string): boolean {
  const folders = ownFiles(test)
    .flatMap(stepsFrom)
    .filter((path) => path.endsWith('/'));
  return (
    folders.some((folder) => file.startsWith(folder)) ||
    /globSync\('(?:\{|\*\*)/.test(readFileSync(test, 'utf8'))
  );
}

/** Parts of the build that these tests run; all of them for tests of the whole product. */
export function partsOf(tests: string[]): string[] {
  const isWhole = (test: string) =>
    leads(test, STACK) || /\b(dist\/(functions|api|local-door)|web\/dist)/.test(textOf(test));
  if (tests.some(isWhole)) return [];
  const ofBridge = tests.some((test) => test.startsWith('tests/firmware-bridge/'));
  // The configuration of the tests reads these two.
  return ['ingest worker', 'local identity provider', ...(ofBridge ? ['bridge'] : [])];
}
