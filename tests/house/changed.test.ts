import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { testsAbout } from '../../scripts/tests-of-changes.ts';

const features = globSync('{web/src/features,worker/src}/*/').filter((folder) => !folder.endsWith('/lib'));

test('each feature of the site and of the API leads to tests of its own, and not to all of them', () => {
  expect(features.length).toBeGreaterThan(15);
  for (const feature of features) {
    const found = testsAbout([`${feature}/changed.ts`]);
    expect(found.length, feature).toBeGreaterThan(0);
    expect(found.length, feature).toBeLessThan(25);
  }
});

test('a change of a screen leads to its tests in the browser, one of the bridge to all of the bridge', () => {
  const ofScores = testsAbout(['web/src/features/scores/kept-classes.ts']);
  expect(ofScores).toContain('tests/e2e/scores.test.ts');
  expect(ofScores).toContain('tests/web/scores-keep.test.ts');
  expect(ofScores).not.toContain('tests/e2e/ledger.test.ts');
  const ofBridge = testsAbout(['firmware-bridge/src/main.ts']);
  expect(ofBridge).toContain('tests/firmware-bridge/bridge.test.ts');
  expect(ofBridge.filter((file) => !file.startsWith('tests/firmware-bridge/'))).toEqual([]);
});
