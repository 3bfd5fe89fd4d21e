import { expect, test } from 'vitest';
import { withInline } from '../../web/vite/before-paint.ts';

test('SEC-39 SEC-104 the policy allows each inline script and style by its digest, and the build fails without it', () => {
  const rules = "/*\n  Content-Security-Policy: script-src 'self' x; style-src 'self' y";
  const digest = "'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='";
  expect(withInline(rules, ['1', '1'], ['1'])).toBe(
    `/*\n  Content-Security-Policy: script-src 'self' ${digest} x; style-src 'self' ${digest} y`,
  );
  expect(() => withInline('/*\n  X: y', [], ['1'])).toThrow('script-src');
});
