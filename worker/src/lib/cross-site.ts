import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';
import { ApiError } from '#http/api-error';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Rejects writes sent by a page of another origin (403). Browsers always send an origin with writes; a request with
 * neither header comes from a program, which holds nobody else's cookies.
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
