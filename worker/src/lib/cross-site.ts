import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';
import { ApiError } from '#http/api-error';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses writes that a page of another origin sends (403). A browser always tells its origin on writes;
 * a request with neither header comes from a program that holds no cookies of anyone else's.
 */
export const refuseCrossSiteWrites = createMiddleware(async (c, next) => {
  const isRoute = matchedRoutes(c).some((route) => route.method !== 'ALL');
  if (isRoute && !safeMethods.has(c.req.method)) {
    const origin = c.req.header('origin');
    const site = c.req.header('sec-fetch-site');
    if (origin !== undefined && origin !== new URL(c.req.url).origin) throw new ApiError(403);
    if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new ApiError(403);
  }
  await next();
});
