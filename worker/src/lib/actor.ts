import type { Context } from 'hono';
import type { UserEnv } from './app-env.ts';

/** Who does something, and from where, as the access log wants to know it. */
export type Actor = { id: number; address: string };

/** The signed-in user of a guarded request. */
export function actorOf(c: Context<UserEnv>): Actor {
  return { id: c.get('user').id, address: c.req.header('cf-connecting-ip') ?? '' };
}
