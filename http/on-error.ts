import { errorCodes, PLANTS_ON_THE_WAY, PlantsOnTheWay, type ErrorStatus } from '#contract/errors';
import type { namedRowsSchema } from '#contract/readings';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import { ApiError } from './api-error.ts';
import type { RequestEnv } from './follow-request.ts';
import { traceOf } from './log.ts';
import type * as z from 'zod';

/**
 * How soon to ask again while plants move from one database to another, mostly within a second. Whoever is told so several
 * times waits longer by itself.
 */
const MOVING_SECONDS = 1;

/** Answers every error as JSON. Unexpected errors are logged and reveal nothing but the request's id. */
export function onError<E extends RequestEnv>(error: Error, c: Context<E>): Response {
  if (onTheWay(error)) c.header('retry-after', String(MOVING_SECONDS));
  const { body, status } = foreseen(error) ?? unforeseen(error, c);
  return c.json(body, status);
}

const onTheWay = (error: Error) => [error, error.cause].find((each) => each instanceof PlantsOnTheWay);

function foreseen(error: Error): ApiError | undefined {
  const rows = onTheWay(error)?.rows;
  if (rows)
    return new ApiError(
      503,
      { code: PLANTS_ON_THE_WAY, message: '화분의 데이터를 옮기는 중입니다. 잠시 뒤에 다시 시도하세요' },
      rows.length > 0 ? ({ rows: [...rows] } satisfies z.infer<typeof namedRowsSchema>) : {},
    );
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
