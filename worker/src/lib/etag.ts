import type { Context } from 'hono';

/** The tags of If-None-Match. A cache may have weakened them on the way: for reading that makes no difference. */
export function presentedTags(c: Context): string[] {
  const header = c.req.header('if-none-match') ?? '';
  return [...header.matchAll(/"([^"]*)"/g)].map(([, tag = '']) => tag);
}

/** What private data is answered with: the browser keeps it for this session alone and asks whether it still holds. */
export function keepPrivately(c: Context, tag: string): void {
  c.header('cache-control', 'private, no-cache');
  c.header('etag', `"${tag}"`);
  c.header('vary', 'Cookie');
}
