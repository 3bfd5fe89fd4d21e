import type { Database } from '#db/client';
import type { SecureLevel } from '#contract/access-levels';
import type { Env } from './config.ts';
import type { RequestEnv } from '#http/request-logger';
import type { Context } from 'hono';

/** The user of the request's session, as currently stored in D1. */
export type SessionUser = {
  sessionId: number;
  id: number;
  email: string;
  name: string;
  univId: string | null;
  secureLevel: SecureLevel;
};

export type AppEnv = RequestEnv & {
  Bindings: Env;
  Variables: {
    /** End of the signed-in user's session, in milliseconds since 1970. */
    sessionEndsAt?: number | undefined;
  };
};
export type UserEnv = AppEnv & {
  Variables: {
    user: SessionUser;
    /** DB and PLANTS_DB. For a request that changes something, each write checks the session again. */
    db: Database;
    plants: Database;
    /** Checks again whether the user may do this. @throws ApiError 401 or 403 if the user may not any more */
    admitAgain: () => Promise<void>;
  };
};

/** Who performs an action, and from where, for the access log. */
export type Actor = {
  /** Null for tasks that the system runs by itself. */
  id: number | null;
  address: string;
  /** Id of the request or task, as in the log. */
  requestId: string;
};

export function actorOf(c: Context<UserEnv>): Actor & { id: number } {
  return {
    id: c.get('user').id,
    address: c.req.header('cf-connecting-ip') ?? '',
    requestId: c.get('requestId'),
  };
}
