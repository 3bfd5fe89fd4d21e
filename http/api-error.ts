import { type ErrorBody, errorCodes, type ErrorStatus } from '#contract/errors';
import { HTTPException } from 'hono/http-exception';
import type { Context } from 'hono';
import { routePath } from 'hono/route';
import { recordDatabaseFailure } from './broken-database.ts';
import type { RequestEnv } from './request-logger.ts';
import { stackTrace } from './log.ts';

const messages: Record<ErrorStatus, string> = {
  400: '요청한 내용이 올바르지 않습니다',
  401: '로그인이 필요합니다',
  403: '접근 권한이 없습니다',
  404: '요청한 항목을 찾을 수 없습니다',
  405: '허용되지 않은 요청 방식입니다',
  409: '이미 저장된 내용과 맞지 않습니다',
  413: '보낸 내용이 너무 큽니다',
  415: '지원하지 않는 형식입니다',
  429: '요청이 너무 많습니다. 잠시 후 다시 시도하세요',
  500: '서버 오류가 발생했습니다',
  503: '서버를 잠시 사용할 수 없습니다',
};

type Details = { message?: string; field?: string; row?: number; current?: object; requestId?: string };

/** The only error that routes throw. `onError` turns it into the contract's JSON. */
export class ApiError extends HTTPException {
  readonly body: ErrorBody;

  /**
   * @param details `message` is Korean and shown to users; `row` counts from 1
   * @param facts extra fields for a bridge, beside `error`
   */
  constructor(status: ErrorStatus, details: Details = {}, facts: object = {}) {
    const message = details.message ?? messages[status];
    super(status, { message });
    this.body = { error: { code: errorCodes[status], ...details, message }, ...facts };
  }
}

/** The answer if somebody else has changed a record since it was read. @param current the current record */
export function outdatedError(current: object): ApiError {
  return new ApiError(409, { message: '다른 사람이 먼저 변경했습니다', current });
}

/** Turns every error into JSON. Unexpected errors are logged and reveal only the request's id. */
export function onError<E extends RequestEnv>(error: Error, c: Context<E>): Response {
  const { body, status } = foreseen(error) ?? unforeseen(error, c);
  return c.json(body, status);
}

function foreseen(error: Error): ApiError | undefined {
  if (error instanceof ApiError) return error;
  // The query builder wraps errors that a database throws.
  if (error.cause instanceof ApiError) return error.cause;
  return error instanceof HTTPException && isErrorStatus(error.status)
    ? new ApiError(error.status)
    : undefined;
}

function unforeseen<E extends RequestEnv>(error: Error, c: Context<E>): ApiError {
  const { requestId, log } = c.var;
  recordDatabaseFailure(routePath(c), error);
  log('error', 'request_failed', { method: c.req.method, route: routePath(c), error: stackTrace(error) });
  return new ApiError(500, { requestId });
}

function isErrorStatus(status: number): status is ErrorStatus {
  return status in errorCodes;
}
