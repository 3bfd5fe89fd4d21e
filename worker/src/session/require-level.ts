import { hasAccess } from '#contract/access-levels';
import { createMiddleware } from 'hono/factory';
import { sessionUser } from './session.ts';
import { ApiError } from '#http/api-error';
import type { UserEnv } from '../lib/app-env.ts';

/**
 * Admits users of this level or a stronger one and sets `c.get('user')`. What waits for a body asks again behind it
 * (`admitAgain`): a sender can hold it back until the session or the level is gone.
 * @throws ApiError 401 without a valid session, 403 when the level is too weak
 */
export function requireLevel(level: number) {
  return createMiddleware<UserEnv>(async (c, next) => {
    const admit = async (isUse?: false) => {
      const user = await sessionUser<UserEnv>(c, isUse);
      if (!user) throw new ApiError(401);
      if (!hasAccess(user.secureLevel, level)) throw new ApiError(403);
      c.set('user', user);
    };
    await admit();
    // Whoever sends or reads slowly does not use the session meanwhile.
    c.set('admitAgain', () => admit(false));
    await next();
  });
}
