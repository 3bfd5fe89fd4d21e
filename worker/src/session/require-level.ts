import { hasAccess } from '#contract/access-levels';
import { database } from '#db/client';
import { createMiddleware } from 'hono/factory';
import { guardedDatabase, guardedPlantsDatabase } from './data.ts';
import { sessionUser } from './session.ts';
import { ApiError } from '#http/api-error';
import type { UserEnv } from '../lib/app-env.ts';

const READS = new Set(['GET', 'HEAD']);

/**
 * Admits users of this level or a stronger one, and provides the user and both databases to the route. For a
 * request that changes something, each transaction checks the user again. A route that waits for a body calls
 * `admitAgain` afterwards, because a slow sender may have lost the session or the level meanwhile.
 * @param isUse false for requests that a page makes by itself but cannot mark with a header
 * @throws ApiError 401 without a valid session, 403 if the level is too weak
 */
export function requireLevel(level: number, isUse?: false) {
  return createMiddleware<UserEnv>(async (c, next) => {
    const admit = async (counts?: false) => {
      const user = await sessionUser<UserEnv>(c, counts);
      if (!user) throw new ApiError(401);
      if (!hasAccess(user.secureLevel, level)) throw new ApiError(403);
      c.set('user', user);
    };
    await admit(isUse);
    // A slow upload or download does not extend the session.
    const admitAgain = () => admit(false);
    c.set('admitAgain', admitAgain);
    if (READS.has(c.req.method)) {
      c.set('db', database(c.env.DB));
      c.set('plants', database(c.env.PLANTS_DB));
    } else {
      const refuse = async (): Promise<never> => {
        await admitAgain();
        throw new ApiError(403);
      };
      const { sessionId } = c.get('user');
      c.set('db', guardedDatabase(c.env.DB, { sessionId, level, refuse }));
      c.set('plants', guardedPlantsDatabase(c.env.PLANTS_DB, admitAgain));
    }
    await next();
  });
}
