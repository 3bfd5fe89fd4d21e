import { apiSecurityHeaders } from '#contract/security-headers';
import { createMiddleware } from 'hono/factory';

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
