import { ApiError } from '#http/api-error';
import { readLimitedBody } from '#http/body';
import { zValidator } from '@hono/zod-validator';
import type { ValidationTargets } from 'hono';
import { every } from 'hono/combine';
import { createMiddleware } from 'hono/factory';
import type { ZodType } from 'zod';
import type { UserEnv } from './app-env.ts';
import { studentIdSchema } from '#contract/students';

/** Validates one part of the request; the 400 contains the first invalid field and, in a list, the row. */
export function validate<T extends ZodType, Target extends keyof ValidationTargets>(
  target: Target,
  schema: T,
) {
  return zValidator(target, schema, (result) => {
    if (!result.success) {
      const issue = result.error.issues[0];
      const message = issue && isKorean(issue.message) ? issue.message : undefined;
      throw new ApiError(400, { ...(message && { message }), ...placeOf(issue?.path ?? []) });
    }
    const unstorable = pathToUnstorable(result.data);
    if (unstorable) throw new ApiError(400, placeOf(unstorable));
  });
}

/** The field at the end of a path into the body and, in a list, the row number from 1. */
function placeOf(path: PropertyKey[]): { field?: string; row?: number } {
  const at = path.findIndex((step) => typeof step === 'number');
  const index = path[at];
  if (typeof index !== 'number') return path.length > 0 ? { field: path.join('.') } : {};
  const field = path.slice(at + 1).join('.') || path.slice(0, at).join('.');
  return { row: index + 1, ...(field !== '' && { field }) };
}

const NESTED_MAX = 64;

/** Path to a value that the database would change: NUL, a lone surrogate, or too deep nesting. */
function pathToUnstorable(value: unknown, path: PropertyKey[] = []): PropertyKey[] | undefined {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (path.length > NESTED_MAX) return path;
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, item] of entries) {
    const found = pathToUnstorable(item, [...path, key]);
    if (found) return found;
  }
  return undefined;
}

const isKorean = (text: string) => /\p{Script=Hangul}/u.test(text);

/**
 * Rejects bodies over `limit` bytes (413), even if Content-Length is missing or wrong, and users who may not
 * do this any more once the body has arrived. Must come after `requireLevel`.
 */
export function limitBody(limit = 64 * 1024) {
  return createMiddleware<UserEnv>(async (c, next) => {
    const { method } = c.req;
    const body = await readLimitedBody(c.req.raw, limit);
    await c.get('admitAgain')();
    c.req.raw = new Request(c.req.raw, { method, body });
    await next();
  });
}

/** Rejects bodies not declared as JSON (415). */
const requireJson = createMiddleware(async (c, next) => {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new ApiError(415);
  await next();
});

/** The body has no meaning here, but a malformed body shows a mistake of the client. */
const emptyOrJson = createMiddleware(async (c, next) => {
  const text = await c.req.text();
  if (text.trim() !== '') {
    try {
      JSON.parse(text);
    } catch {
      throw new ApiError(400);
    }
  }
  await next();
});

/** For a route without a body: `limitBody`, and any body must be JSON. */
export const requireEmptyBody = every(limitBody(), emptyOrJson);

/** Accepts a JSON body that matches the schema: `limitBody`, then `validate`. */
export function jsonBody<T extends ZodType>(
  schema: T,
  limit?: number,
): ReturnType<typeof validate<T, 'json'>> {
  const steps = every(limitBody(limit), requireJson, validate('json', schema));
  return async (c, next) => {
    await steps(c, next);
  };
}

/**
 * Parses a row's id from a path parameter; only the canonical spelling is accepted.
 * @throws ApiError 404 for any other text
 */
export function parseRowId(text: string | undefined): number {
  if (text === undefined || !/^[1-9][0-9]{0,14}$/.test(text)) throw new ApiError(404);
  return Number(text);
}

/** Number, from 1, of the first row whose id occurs in an earlier row; undefined if all ids are unique. */
export function firstRepeatedRow(ids: string[]): number | undefined {
  const seen = new Set<string>();
  const index = ids.findIndex((id) => seen.size === seen.add(id).size);
  return index === -1 ? undefined : index + 1;
}

export const studentNotFoundError = () => new ApiError(404, { message: '학생을 찾을 수 없습니다' });

/**
 * Parses a student number from a path.
 * @throws ApiError 404 if it is not well-formed
 */
export function parseStudentId(text: string): string {
  const { data } = studentIdSchema.safeParse(text);
  if (data === undefined) throw studentNotFoundError();
  return data;
}
