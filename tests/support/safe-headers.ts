import { expect } from 'vitest';

/** Expects the security headers that every answer must have. */
export function expectSafe({ headers }: Response): void {
  const policy = directives(headers);
  expect(policy['object-src']).toBe("'none'");
  expect(policy['base-uri']).toBe("'none'");
  expect(policy['frame-ancestors']).toBe("'none'");
  const [, seconds] =
    /^max-age=([0-9]+); includeSubDomains$/.exec(headers.get('strict-transport-security') ?? '') ?? [];
  expect(Number(seconds)).toBeGreaterThanOrEqual(31_536_000);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  expect(headers.get('permissions-policy')).toMatch(/camera=\(\).*microphone=\(\)/);
  expect(headers.get('access-control-allow-origin')).toBeNull();
}

/** The directives of an answer's CSP, by name. */
export function directives(headers: Headers): Record<string, string> {
  const parts = (headers.get('content-security-policy') ?? '').split(';').map((part) => part.trim());
  return Object.fromEntries(parts.map((part) => [part.split(' ')[0], part.split(' ').slice(1).join(' ')]));
}
