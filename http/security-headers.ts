import { apiSecurityHeaders } from '#contract/security-headers';
import { createMiddleware } from 'hono/factory';

/** Security headers for every answer of a worker, where its route has not set stricter ones; nor is it cached unless it says so. */
export const securityHeaders = createMiddleware(async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(apiSecurityHeaders)) {
    if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  }
  if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store');
});
