import { presentedToken } from '#contract/session-cookie';
import type { Context } from 'hono';

/**
 * Lets visitors share a copy at the edge (web/functions/edge-cache.ts) under this Cache-Control. A signed-in user may just
 * have changed what is answered, so no shared cache may answer them.
 */
export function shareWithVisitors(c: Context, control: string): void {
  const isVisitor = presentedToken(c.req.header('cookie')) === undefined;
  c.header('cache-control', isVisitor ? control : 'private, no-cache');
}
