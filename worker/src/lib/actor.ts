import type { Context } from 'hono';
import type { UserEnv } from './app-env.ts';

/** Who does something, and from where, as the access log wants to know it. */
export type Actor = {
  /** Null for the system's own tasks. */
  id: number | null;
  address: string;
  /** Of the request or task, as its lines in the log name it. */
  requestId: string;
};

/** The signed-in user of a guarded request. */
export function actorOf(c: Context<UserEnv>): Actor & { id: number } {
  return {
    id: c.get('user').id,
    address: c.req.header('cf-connecting-ip') ?? '',
    requestId: c.get('requestId'),
  };
}
