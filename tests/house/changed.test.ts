import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { routesChangedBy, testsForChanges } from '../../scripts/test/tests-of-changes.ts';
import { words } from '../support/words.ts';

const all = globSync('tests/**/*.test.ts');
const house = globSync('tests/house/*.test.ts');
const unchanged = () => '';
const testsFor = (file: string) => testsForChanges([file], undefined, unchanged);
const features = globSync('{web/src/features,worker/src}/*/').filter(
  (folder) => !/\/(lib|session)$/.test(folder),
);

test('each feature of the site and of the API leads to tests of its own, and not to all of them', () => {
  expect(features.length).toBeGreaterThan(15);
  // Once with what Git says.
  expect(testsForChanges(['worker/src/courses/routes.ts']).length).toBeGreaterThan(house.length);
  for (const feature of features) {
    const [file = ''] = globSync(`${feature}/{routes,queries,screen,*}.{ts,tsx}`);
    const found = testsFor(file);
    expect(found.length, file).toBeGreaterThan(house.length);
    expect(found.length, file).toBeLessThan(all.length / 2);
  }
});

test('a change of a screen leads to its tests in the browser, and one of a rule to these and to its own', () => {
  const ofScreen = testsFor('web/src/features/scores/toolbar.tsx');
  expect(ofScreen).toContain('tests/e2e/scores.test.ts');
  expect(ofScreen).not.toContain('tests/e2e/ledger.test.ts');
  const ofRule = testsFor('web/src/features/scores/grading/seats.ts');
  expect(ofRule).toContain('tests/web/scores-grading.test.ts');
  expect(ofRule).toContain('tests/e2e/scores.test.ts');
  expect(ofRule).not.toContain('tests/e2e/ledger.test.ts');
  expect(testsFor('web/src/routes/_signed-in/manage_plants.tsx')).toContain('tests/e2e/plants.test.ts');
});

test('a change of a route of the API leads to the matrix of routes and to what names or requests its address, and to little more', () => {
  const requested = Object.fromEntries(all.map((test) => [test, { routes: ['GET /api/health'] }]));
  requested['tests/e2e/signed-out.test.ts'] = { routes: ['POST /api/courses'] };
  const file = 'worker/src/courses/routes.ts';
  const ofRoute = testsForChanges([file], requested, unchanged);
  for (const test of [
    'tests/worker/matrix.test.ts',
    'tests/worker/courses.test.ts',
    'tests/e2e/courses.test.ts',
    'tests/e2e/signed-out.test.ts',
  ])
    expect(ofRoute).toContain(test);
  expect(ofRoute.filter((file) => /^tests\/(firmware|ingest)/.test(file))).toEqual([]);
  expect(ofRoute).not.toContain('tests/e2e/plants.test.ts');
  expect(testsForChanges([file], {}, unchanged)).toContain('tests/e2e/plants.test.ts');
});

test('each changed line of a handler leads to its routes, and one of what handlers share to those of the whole file', () => {
  const of = (file: string, changed: (line: string) => boolean) => {
    const lines = readFileSync(file, 'utf8').split('\n');
    return routesChangedBy(['@@', ...lines.map((line) => `${changed(line) ? '+' : ' '}${line}`)].join('\n'));
  };
  const courses = (...code: string[]) =>
    of('worker/src/courses/routes.ts', (line) => code.some((each) => line.includes(each)));
  expect(courses('await deleteCourse')).toEqual(['DELETE /api/courses/:id']);
  expect(courses('await listCourses')).toEqual(['GET /api/courses', 'GET /api/courses2']);
  expect(courses('await deleteCourse', 'const guard')).toEqual(undefined);
  expect(courses()).toEqual(undefined);
  const ofHandler = /\.(get|post|put|patch|delete)\W{1,2}('\/|$)/;
  for (const file of globSync('worker/src/*/routes.ts'))
    expect(
      of(file, (line) => ofHandler.test(line)),
      file,
    ).toBeDefined();
});

test.each(['contract/courses.ts', 'db/users.ts', 'db/client.ts', 'migrations/0000_initial.sql'])(
  'a change of %s leads to every test of a worker',
  (file) => {
    expect(testsFor(file)).toEqual(expect.arrayContaining(globSync('tests/{worker,ingest}/*.test.ts')));
  },
);

test('a change of the bridge leads to whatever runs it, and to nothing of the API or of other screens', () => {
  const ofBridge = testsFor('firmware-bridge/src/spool/spool.ts');
  expect(ofBridge).toEqual(
    expect.arrayContaining([
      'tests/firmware-bridge/spool.test.ts',
      'tests/firmware-bridge/session.test.ts',
      'tests/firmware-bridge/faults/readings-misbehave.test.ts',
      'tests/local/running.test.ts',
    ]),
  );
  expect(ofBridge.filter((file) => /^tests\/worker\/|\/(scores|ledger|students)[^/]*$/.test(file))).toEqual(
    [],
  );
});

test('a change of what a worker shares leads to all of its tests, one of a support file to those that import it', () => {
  expect(testsFor('worker/src/lib/validate.ts')).toEqual(
    expect.arrayContaining(globSync('tests/worker/*.test.ts')),
  );
  const ofSupport = testsFor('tests/support/ledger-screen.ts');
  expect(ofSupport).toContain('tests/e2e/ledger.test.ts');
  expect(ofSupport).not.toContain('tests/e2e/users.test.ts');
});

test('a file that a test only reads or starts leads to it', () => {
  expect(testsFor('firmware/micropython/kept_readings.py')).toContain('tests/firmware/kept-readings.test.ts');
  expect(testsFor('web/public/_redirects')).toContain('tests/web/static-addresses.test.ts');
  expect(testsFor('docs/configuration.md')).toContain('tests/deploy/configuration.test.ts');
  expect(testsFor('local/local-process.ts')).toContain('tests/e2e/courses.test.ts');
});

test('what everything depends on leads to every test', () => {
  for (const file of ['package-lock.json', 'vitest.config.ts', 'scripts/build/build.ts'])
    expect(testsFor(file)).toHaveLength(all.length);
});

/** Of no source of ours alone: colours, generated code, what several features give away. */
const ofNoSource = words(`
  any-workbook contrast exports message-fallback office-files static-addresses table-cost
`);

test('a test of the site is called after its feature, or after the source that it tests', () => {
  const name = (file: string) => basename(file).replace(/\.tsx?$/, '');
  const sources = globSync([
    'web/{src/*,src/{feeds,head,lib,components}/**/*,vite/**/*}.{ts,tsx}',
    'content/**/*.ts',
  ]).map(name);
  const ofFeatures = globSync('web/src/features/*/**/*.{ts,tsx}').map((file) => {
    const [, feature = ''] = /features\/([^/]+)/.exec(file) ?? [];
    return name(file).startsWith(`${feature}-`) ? name(file) : `${feature}-${name(file)}`;
  });
  const whole = globSync('web/src/features/*/').map(name);
  const names = new Set([...sources, ...whole, ...ofFeatures, ...ofNoSource]);
  const tests = globSync('tests/web/*.test.ts').map((file) => basename(file, '.test.ts'));
  expect(tests.length).toBeGreaterThan(40);
  const isAspect = (test: string) => ofFeatures.some((each) => test.startsWith(`${each}-`));
  expect(tests.filter((test) => !names.has(test) && !isAspect(test))).toEqual([]);
});
