import type { Context, TypedResponse } from 'hono';

type JsonBytes = string | Uint8Array<ArrayBuffer>;

/** Answers with JSON that the database has made: it goes out as it came. `T` is what the text holds. */
export function jsonText<T>(c: Context, text: JsonBytes): Response & TypedResponse<T, 200, 'json'>;
export function jsonText(c: Context, text: JsonBytes): Response {
  return c.body(text, 200, { 'content-type': 'application/json' });
}

/** The same where undefined stands for what the browser has already: 304, which its page never sees. */
export function jsonTextOr304<T>(
  c: Context,
  text: JsonBytes | undefined,
): Response & TypedResponse<T, 200, 'json'>;
export function jsonTextOr304(c: Context, text: JsonBytes | undefined): Response {
  return text === undefined ? c.body(null, 304) : jsonText(c, text);
}
