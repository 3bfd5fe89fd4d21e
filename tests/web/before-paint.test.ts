import { expect, test } from 'vitest';
import { policyWithScripts } from '../../web/vite/before-paint.ts';

test('SEC-39 the policy allows each inline script by its digest, and the build fails without it', () => {
  const rules = "/*\n  Content-Security-Policy: script-src 'self' x";
  expect(policyWithScripts(rules, ['1'])).toBe(
    "/*\n  Content-Security-Policy: script-src 'self' 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s=' x",
  );
  expect(() => policyWithScripts('/*\n  X: y', ['1'])).toThrow('script-src');
});
