import { errorCodes, type ErrorStatus } from '#contract/errors';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import { ApiError } from './api-error.ts';
import type { AppEnv } from './app-env.ts';
import { traceOf } from './log.ts';

/** Answers every error as JSON; what nobody foresaw is logged under the request's id and shows nothing else. */
export function onError(error: Error, c: Context<AppEnv>): Response {
  if (error instanceof ApiError) return c.json(error.body, error.status);
  if (error instanceof HTTPException && isErrorStatus(error.status)) {
    const known = new ApiError(error.status);
    return c.json(known.body, known.status);
  }
  const { requestId, log } = c.var;
  log('error', 'request_failed', { method: c.req.method, route: routePath(c), error: traceOf(error) });
  const failed = new ApiError(500);
  return c.json({ error: { ...failed.body.error, requestId } }, 500);
}

function isErrorStatus(status: number): status is ErrorStatus {
  return status in errorCodes;
}
