import { REQUEST_ID_HEADER, requestIdFrom } from '#contract/request-id';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import { createLog, type Log } from './log.ts';

/** What each request of a worker has. */
export type RequestEnv = {
  Bindings: { LOG_LEVEL?: string | undefined };
  Variables: { requestId: string; log: Log };
};

/**
 * Gives each request its id, or takes its sender's: it stands in the answer, in each line that the request logs and
 * beside what it writes into the access log. What was asked is logged as the route's pattern, because paths and queries
 * hold people's numbers and names.
 * @param quiet methods whose good answers are logged at the level debug, which is below what is written unless LOG_LEVEL
 *   says otherwise
 */
export function followRequest(...quiet: string[]) {
  return createMiddleware<RequestEnv>(async (c, next) => {
    const requestId = requestIdFrom(c.req.header(REQUEST_ID_HEADER));
    const log = createLog(requestId, c.env);
    c.set('requestId', requestId);
    c.set('log', log);
    const startedAt = Date.now();
    await next();
    c.res.headers.set(REQUEST_ID_HEADER, requestId);
    const { status } = c.res;
    log(status < 400 && quiet.includes(c.req.method) ? 'debug' : 'info', 'request', {
      method: c.req.method,
      route: routePath(c),
      status,
      ms: Date.now() - startedAt,
    });
  });
}
