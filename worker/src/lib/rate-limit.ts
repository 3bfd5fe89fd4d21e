import { createMiddleware } from 'hono/factory';
import type { AppEnv } from './app-env.ts';
import { ApiError } from './api-error.ts';

/** Seconds that a limit counts over; wrangler.toml holds the same period. */
const PERIOD_SECONDS = 60;

/**
 * Refuses (429) an address that signs in more often than LOGIN_RATE in wrangler.toml allows. Cloudflare sets
 * CF-Connecting-IP itself; what the client claims in X-Forwarded-For counts for nothing.
 */
export const limitLogins = createMiddleware<AppEnv>(async (c, next) => {
  const { success } = await c.env.LOGIN_RATE.limit({ key: c.req.header('cf-connecting-ip') ?? '' });
  if (!success) {
    c.header('Retry-After', String(PERIOD_SECONDS));
    throw new ApiError(429);
  }
  await next();
});
