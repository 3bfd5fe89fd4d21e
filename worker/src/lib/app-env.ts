import type { SecureLevel } from '#contract/access-levels';
import type { Env } from './config.ts';
import type { RequestEnv } from '#http/follow-request';

/** The user behind a request's session, as D1 holds them at that moment. */
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
    /** Of whoever is signed in, in milliseconds since 1970. */
    sessionEndsAt?: number;
  };
};
export type UserEnv = AppEnv & { Variables: { user: SessionUser } };
