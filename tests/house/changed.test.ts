import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { testsAbout, testsOf } from '../../scripts/tests-of-changes.ts';

const features = globSync('{web/src/features,worker/src}/*/').filter((folder) => !folder.endsWith('/lib'));

test('each feature of the site and of the API leads to tests of its own, and not to all of them', () => {
  expect(features.length).toBeGreaterThan(15);
  for (const feature of features) {
    const found = testsAbout([`${feature}/changed.ts`]);
    expect(found.length, feature).toBeGreaterThan(0);
    expect(found.length, feature).toBeLessThan(30);
  }
});

test('a change of a screen leads to its tests in the browser, a rule with tests of its own to these alone', () => {
  const ofScreen = testsOf(['web/src/features/scores/components/toolbar.tsx']);
  expect(ofScreen).toContain('tests/e2e/scores.test.ts');
  expect(ofScreen).not.toContain('tests/e2e/ledger.test.ts');
  const ofRule = testsOf(['web/src/features/scores/seats.ts']);
  expect(ofRule).toContain('tests/web/scores-grading.test.ts');
  expect(ofRule.filter((file) => file.startsWith('tests/e2e/'))).toEqual([]);
  expect(testsOf(['web/src/routes/_signed-in/manage_plants.tsx'])).toContain('tests/e2e/plants.test.ts');
});

test('a change of the bridge leads to what imports it and to the bridge as a whole, not to every fault', () => {
  const ofBridge = testsOf(['firmware-bridge/src/spool.ts']);
  expect(ofBridge).toContain('tests/firmware-bridge/spool.test.ts');
  expect(ofBridge).toContain('tests/firmware-bridge/session.test.ts');
  expect(ofBridge.filter((file) => /^tests\/(e2e|worker)\/|\/faults\//.test(file))).toEqual([]);
});

test('a change of what a worker shares leads to all of its tests, one of a support file to those that import it', () => {
  expect(testsOf(['worker/src/lib/validate.ts'])).toEqual(
    expect.arrayContaining(globSync('tests/worker/*.test.ts')),
  );
  const ofSupport = testsOf(['tests/support/ledger-screen.ts']);
  expect(ofSupport).toContain('tests/e2e/ledger.test.ts');
  expect(ofSupport).not.toContain('tests/e2e/users.test.ts');
});

/** Of no source of ours alone: colours, generated code, what several features give away. */
const ofNoSource = ['contrast', 'exports', 'message-fallback', 'static-addresses'];

test('a test of the site is called after its feature, or after the source that it tests', () => {
  const name = (file: string) => basename(file).replace(/\.tsx?$/, '');
  const sources = globSync('web/{src/*,src/lib/**/*,src/components/**/*,vite/**/*}.{ts,tsx}').map(name);
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
