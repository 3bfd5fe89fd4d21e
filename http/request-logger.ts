import { REQUEST_ID_HEADER, requestIdFrom } from '#contract/log-line';
import { createMiddleware } from 'hono/factory';
import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import { recordDatabaseSuccess } from './broken-database.ts';
import { createLog, type Log } from './log.ts';

/** Bindings and variables that every request has. */
export type RequestEnv = {
  Bindings: { LOG_LEVEL?: string | undefined };
  Variables: { requestId: string; log: Log };
};

/**
 * Gives each request an id, which contains the id that the sender chose. The id appears in the response, in
 * every log line of the request and in its access-log rows. The log has the route's pattern, not the URL,
 * because paths and queries contain people's numbers and names.
 * @param quiet methods whose successful requests are logged at `debug`, below the default LOG_LEVEL
 */
export function requestLogger(...quiet: string[]) {
  return createMiddleware<RequestEnv>(async (c, next) => {
    const requestId = requestIdFrom(c.req.header(REQUEST_ID_HEADER));
    const log = createLog(requestId, c.env);
    c.set('requestId', requestId);
    c.set('log', log);
    const startedAt = Date.now();
    // Two Host headers make an invalid URL.
    if (!URL.canParse(c.req.url)) throw new HTTPException(400);
    await next();
    c.res.headers.set(REQUEST_ID_HEADER, requestId);
    const { status } = c.res;
    if (status < 400) recordDatabaseSuccess(routePath(c));
    log(status < 400 && quiet.includes(c.req.method) ? 'debug' : 'info', 'request', {
      method: c.req.method,
      route: routePath(c),
      status,
      ms: Date.now() - startedAt,
    });
  });
}
