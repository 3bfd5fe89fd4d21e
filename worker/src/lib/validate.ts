import { zValidator } from '@hono/zod-validator';
import type { ValidationTargets } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import type { ZodType } from 'zod';
import { ApiError } from './api-error.ts';

/** Checks one part of the request against a schema; 400 names the first field that is wrong. */
export function validate<T extends ZodType, Target extends keyof ValidationTargets>(
  target: Target,
  schema: T,
) {
  return zValidator(target, schema, (result) => {
    if (result.success) return;
    const issue = result.error.issues[0];
    const field = issue?.path.join('.');
    const message = issue && isKorean(issue.message) ? issue.message : undefined;
    throw new ApiError(400, { ...(message && { message }), ...(field && { field }) });
  });
}

const isKorean = (text: string) => /\p{Script=Hangul}/u.test(text);

/** Refuses bodies over `limit` bytes (413), also those that do not tell their length. */
export const limitBody = (limit = 64 * 1024) =>
  bodyLimit({
    maxSize: limit,
    onError: () => {
      throw new ApiError(413);
    },
  });

/** Refuses bodies that do not say that they are JSON (415). */
export const requireJson = createMiddleware(async (c, next) => {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new ApiError(415);
  await next();
});

/**
 * The id of a row from a path's parameter, in the one way that a number is written.
 * @throws ApiError 404 for anything else
 */
export function rowId(text: string | undefined): number {
  if (text === undefined || !/^[1-9][0-9]{0,14}$/.test(text)) throw new ApiError(404);
  return Number(text);
}
