import { clientKey, limitRate } from '#http/rate-limit';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { AppEnv, UserEnv } from './app-env.ts';

/** Rejects (429) an address that signs in more often than LOGIN_RATE in wrangler.toml allows. */
export const limitLogins = createMiddleware<AppEnv>(async (c, next) => {
  await countLogin(c);
  await next();
});

/**
 * Counts a sign-in against the client's address.
 * @throws ApiError 429 above the limit
 */
export async function countLogin(c: Context<AppEnv>): Promise<void> {
  await limitRate(c, c.env.LOGIN_RATE, clientKey(c));
}

/** Rejects (429) a user who uploads more often than UPLOAD_RATE in wrangler.toml allows. */
export const limitUploads = createMiddleware<UserEnv>(async (c, next) => {
  await limitRate(c, c.env.UPLOAD_RATE, String(c.get('user').id));
  await next();
});
