import { createMiddleware } from 'hono/factory';
import { ApiError } from '#http/api-error';

/**
 * Takes each route under its one spelling and its own methods: an encoded path is no route (404), and HEAD, which
 * Hono would answer as GET, is refused (405). No guard then has to think of a second way to its door.
 */
export const plainRequestsOnly = createMiddleware(async (c, next) => {
  if (new URL(c.req.url).pathname.includes('%')) throw new ApiError(404);
  if (c.req.raw.method === 'HEAD') throw new ApiError(405);
  await next();
});
