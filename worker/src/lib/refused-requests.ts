import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';
import { ApiError } from '#http/api-error';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Routes that everybody may read, with or without a session. */
const publicReads = new Set(['/api/courses', '/api/people', '/api/plants/public', '/api/health']);
const WAY_BACK = '/api/login/callback';

/**
 * Rejects requests from pages of another origin (403), even reads: otherwise a foreign page could write words
 * into the access log by an image's URL. A request without Origin and Sec-Fetch-Site comes from a program,
 * which has no other user's cookies.
 */
export const refuseCrossSite = createMiddleware(async (c, next) => {
  const isRoute = matchedRoutes(c).some((route) => route.method !== 'ALL');
  if (isRoute && isForeign(c) && !isForEverybody(c)) throw new ApiError(403);
  await next();
});

/** Browsers send Origin with every write and, on a secure connection, Sec-Fetch-Site with every request. */
function isForeign(c: Context): boolean {
  const origin = c.req.header('origin');
  const site = c.req.header('sec-fetch-site') ?? 'none';
  return (origin !== undefined && origin !== new URL(c.req.url).origin) || !/^(same-origin|none)$/.test(site);
}

function isForEverybody(c: Context): boolean {
  if (!safeMethods.has(c.req.method)) return false;
  // The identity provider navigates the whole window back, never an image or a frame.
  if (c.req.path === WAY_BACK) return (c.req.header('sec-fetch-dest') ?? 'document') === 'document';
  return publicReads.has(c.req.path);
}

/**
 * Accepts each route under one spelling and its own methods only: an encoded path is not found (404), and
 * HEAD, which Hono would treat as GET, is rejected (405). Guards then have a single path to protect.
 */
export const requireExactRoute = createMiddleware(async (c, next) => {
  if (new URL(c.req.url).pathname.includes('%')) throw new ApiError(404);
  if (c.req.raw.method === 'HEAD') throw new ApiError(405);
  await next();
});
