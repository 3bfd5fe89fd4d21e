import { createMiddleware } from 'hono/factory';

/** Headers for a worker that serves no pages: no scripts, no frames, no sniffing, no use by other sites. */
export const apiSecurityHeaders = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const;

/**
 * Sets security headers on every response of a worker and forbids caching, unless the route has set its own headers.
 */
export const securityHeaders = createMiddleware(async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(apiSecurityHeaders)) {
    if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  }
  if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store');
});
