import { expect, test } from 'vitest';
import { digestOf } from '../../web/vite/before-paint.ts';
import { withKeptFiles, withScripts } from '../../web/vite/headers-plugin.ts';

const rules = '/*\n  X: y\n\n/assets/*\n  Cache-Control: no-store\n';
const files = (count: number) => Array.from({ length: count }, (_, n) => `assets/f${n}.js`);

test('SEC-60 a file named by its content has a rule of its own, after the one that keeps nothing', () => {
  expect(withKeptFiles(rules, ['assets/b.js', 'assets/a.css'])).toBe(
    `${rules}${['a.css', 'b.js'].map((file) => `/assets/${file}\n  ! Cache-Control\n  Cache-Control: public, max-age=31536000, immutable\n`).join('\n')}`,
  );
});

test('SEC-60 the build fails before Pages would leave rules out', () => {
  expect(withKeptFiles(rules, files(98))).toContain('/assets/f97.js');
  expect(() => withKeptFiles(rules, files(99))).toThrow('101 rules');
});

test('SEC-39 the policy allows each inline script by its digest, and the build fails without it', () => {
  const digest = digestOf('1');
  expect(digest).toBe("'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='");
  expect(withScripts("/*\n  Content-Security-Policy: script-src 'self' x", [digest])).toContain(
    `script-src 'self' ${digest} x`,
  );
  expect(() => withScripts(rules, [digest])).toThrow('script-src');
});
