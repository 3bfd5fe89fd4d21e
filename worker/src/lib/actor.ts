import type { Context } from 'hono';
import type { UserEnv } from './app-env.ts';

/** Who performs an action, and from where, for the access log. */
export type Actor = {
  /** Null for the system's own tasks. */
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
