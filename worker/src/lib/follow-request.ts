import { REQUEST_ID_HEADER, requestIdFrom } from '#contract/request-id';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import type { AppEnv } from './app-env.ts';
import { readLogLevel } from './config.ts';
import { createLog } from './log.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Gives each request its id, or takes the browser's: it stands in the answer, in each line that the request logs and
 * beside what it writes into the access log. What was asked is logged as the route's pattern, because paths and queries
 * hold people's numbers and names.
 */
export const followRequest = createMiddleware<AppEnv>(async (c, next) => {
  const requestId = requestIdFrom(c.req.header(REQUEST_ID_HEADER));
  const log = createLog(requestId, readLogLevel(c.env));
  c.set('requestId', requestId);
  c.set('log', log);
  const startedAt = Date.now();
  await next();
  c.res.headers.set(REQUEST_ID_HEADER, requestId);
  const { status } = c.res;
  const isQuiet = status < 400 && safeMethods.has(c.req.method);
  log(isQuiet ? 'debug' : 'info', 'request', {
    method: c.req.method,
    route: routePath(c),
    status,
    ms: Date.now() - startedAt,
  });
});
