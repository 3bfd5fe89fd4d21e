import { errorCodes, type ErrorStatus } from '#contract/errors';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { ApiError } from './api-error.ts';

/** Answers every error as JSON; what nobody foresaw is logged under an id and shows nothing else. */
export function onError(error: Error, c: Context): Response {
  if (error instanceof ApiError) return c.json(error.body, error.status);
  if (error instanceof HTTPException && isErrorStatus(error.status)) {
    const known = new ApiError(error.status);
    return c.json(known.body, known.status);
  }
  const requestId = crypto.randomUUID();
  console.error(
    JSON.stringify({
      event: 'request failed',
      requestId,
      method: c.req.method,
      route: c.req.routePath,
      error: traceOf(error),
    }),
  );
  const failed = new ApiError(500);
  return c.json({ error: { ...failed.body.error, requestId } }, 500);
}

/** Why and where it failed. The message of a failed query holds people's data, its parameters; its cause does not. */
function traceOf(error: Error): string {
  const reason = error.cause instanceof Error ? error.cause : error;
  const frames = /(?:\n {4}at .*)*$/.exec(error.stack ?? '')?.[0] ?? '';
  return `${String(reason)}${frames}`;
}

function isErrorStatus(status: number): status is ErrorStatus {
  return status in errorCodes;
}
