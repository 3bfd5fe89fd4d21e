import type { Context, TypedResponse } from 'hono';

type JsonBytes = string | Uint8Array<ArrayBuffer>;

/** Responds with JSON text built by the database, unchanged. `T` is the type it contains. */
export function jsonText<T>(c: Context, text: JsonBytes): Response & TypedResponse<T, 200, 'json'>;
export function jsonText(c: Context, text: JsonBytes): Response {
  return c.body(text, 200, { 'content-type': 'application/json' });
}

/**
 * The same, with a 304 when `text` is undefined because the browser already has it. The page's code never sees a 304.
 */
export function jsonTextOr304<T>(
  c: Context,
  text: JsonBytes | undefined,
): Response & TypedResponse<T, 200, 'json'>;
export function jsonTextOr304(c: Context, text: JsonBytes | undefined): Response {
  return text === undefined ? c.body(null, 304) : jsonText(c, text);
}
