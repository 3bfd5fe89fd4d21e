import type { Context, TypedResponse } from 'hono';

/** Answers with JSON that the database has made: it goes out as it came. `T` is what the text holds. */
export function jsonText<T>(c: Context, text: string): Response & TypedResponse<T, 200, 'json'>;
export function jsonText(c: Context, text: string): Response {
  return c.body(text, 200, { 'content-type': 'application/json' });
}

/** The same where undefined stands for what the browser has already: 304, which its page never sees. */
export function jsonTextOr304<T>(
  c: Context,
  text: string | undefined,
): Response & TypedResponse<T, 200, 'json'>;
export function jsonTextOr304(c: Context, text: string | undefined): Response {
  return text === undefined ? c.body(null, 304) : jsonText(c, text);
}
