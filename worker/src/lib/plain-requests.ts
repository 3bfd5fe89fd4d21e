import { createMiddleware } from 'hono/factory';
import { ApiError } from '#http/api-error';

/**
 * Accepts each route under one spelling and its own methods only: an encoded path is not found (404), and HEAD, which
 * Hono would treat as GET, is rejected (405). Guards then have a single path to protect.
 */
export const plainRequestsOnly = createMiddleware(async (c, next) => {
  if (new URL(c.req.url).pathname.includes('%')) throw new ApiError(404);
  if (c.req.raw.method === 'HEAD') throw new ApiError(405);
  await next();
});
