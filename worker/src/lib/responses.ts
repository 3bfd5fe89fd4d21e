import type { Context, TypedResponse } from 'hono';
import { sessionTokenFromCookie } from '#contract/session';

type JsonBytes = string | Uint8Array<ArrayBuffer>;

/** Responds with JSON text built by the database, unchanged. `T` is the type it contains. */
export function jsonTextResponse<T>(c: Context, text: JsonBytes): Response & TypedResponse<T, 200, 'json'>;
export function jsonTextResponse(c: Context, text: JsonBytes): Response {
  return c.body(text, 200, { 'content-type': 'application/json' });
}

/** Like `jsonTextResponse`, but a 304 if `text` is undefined: then the browser reads its stored copy. */
export function jsonTextResponseOr304<T>(
  c: Context,
  text: JsonBytes | undefined,
): Response & TypedResponse<T, 200, 'json'>;
export function jsonTextResponseOr304(c: Context, text: JsonBytes | undefined): Response {
  return text === undefined ? c.body(null, 304) : jsonTextResponse(c, text);
}

/** The tags of If-None-Match. Caches may turn tags into weak tags (`W/`), which does not matter for GET. */
export function ifNoneMatchTags(c: Context): string[] {
  return parseEntityTags(c.req.header('if-none-match'));
}

export function parseEntityTags(header = ''): string[] {
  return [...header.matchAll(/"([^"]*)"/g)].map(([, tag = '']) => tag);
}

/** For private data: the browser may cache it, but has to revalidate it on each use. */
export function cachePrivately(c: Context, tag: string): void {
  c.header('cache-control', 'private, no-cache');
  c.header('etag', `"${tag}"`);
  c.header('vary', 'Cookie');
}

/**
 * Lets visitors share a cached copy at the edge (web/functions/edge-cache.ts) under this Cache-Control. A
 * signed-in user may just have changed the content, so no shared cache may answer signed-in users.
 */
export function cacheForVisitors(c: Context, control: string): void {
  const isVisitor = sessionTokenFromCookie(c.req.header('cookie')) === undefined;
  c.header('cache-control', isVisitor ? control : 'private, no-cache');
}
