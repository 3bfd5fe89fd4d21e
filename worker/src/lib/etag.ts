import type { Context } from 'hono';

/** The tags of If-None-Match. Caches may weaken tags on the way, which does not matter for GET. */
export function presentedTags(c: Context): string[] {
  return tagsIn(c.req.header('if-none-match'));
}

/** The tags that a header names. */
export function tagsIn(header = ''): string[] {
  return [...header.matchAll(/"([^"]*)"/g)].map(([, tag = '']) => tag);
}

/** For private data: the browser caches it for this session only and revalidates it on each use. */
export function keepPrivately(c: Context, tag: string): void {
  c.header('cache-control', 'private, no-cache');
  c.header('etag', `"${tag}"`);
  c.header('vary', 'Cookie');
}
