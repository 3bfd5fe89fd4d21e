import { errorCodes, type ErrorStatus } from '#contract/errors';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import { ApiError } from './api-error.ts';
import type { RequestEnv } from './follow-request.ts';
import { traceOf } from './log.ts';

/** Answers every error as JSON. Unexpected errors are logged and reveal nothing but the request's id. */
export function onError<E extends RequestEnv>(error: Error, c: Context<E>): Response {
  const { body, status } = foreseen(error) ?? unforeseen(error, c);
  return c.json(body, status);
}

function foreseen(error: Error): ApiError | undefined {
  if (error instanceof ApiError) return error;
  // The query builder wraps what a database throws.
  if (error.cause instanceof ApiError) return error.cause;
  return error instanceof HTTPException && isErrorStatus(error.status)
    ? new ApiError(error.status)
    : undefined;
}

function unforeseen<E extends RequestEnv>(error: Error, c: Context<E>): ApiError {
  const { requestId, log } = c.var;
  log('error', 'request_failed', { method: c.req.method, route: routePath(c), error: traceOf(error) });
  return new ApiError(500, { requestId });
}

function isErrorStatus(status: number): status is ErrorStatus {
  return status in errorCodes;
}
