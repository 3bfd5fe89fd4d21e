import { bindings, missingBindings, type BoundEnv } from '#contract/bindings';
import { API_MARKER_HEADER, logLine } from '#contract/log-line';
import { sessionTokenFromCookie } from '#contract/session';
import {
  sharedResponseAt,
  sharedResponseChangedBy,
  forwardWrite,
  readSharedResponse,
} from '../edge-cache.ts';

type Env = BoundEnv<typeof bindings.site, { service: Fetcher }>;

/**
 * Passes every request under /api to the API worker, so that the browser sees one origin. Responses for all
 * visitors come from the edge's cache (edge-cache.ts), except for requests that may have a session cookie.
 */
export const onRequest: PagesFunction<Env> = async ({ env, request, waitUntil }) => {
  const missing = missingBindings(bindings.site, env);
  if (missing.length > 0) return unavailable(missing);
  const { pathname } = new URL(request.url);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const changed = isRead ? undefined : sharedResponseChangedBy(pathname);
  if (changed) {
    const written = forwardWrite(env.API, request, changed);
    // The invalidation mark must be written even if the browser disconnects before the response.
    waitUntil(written);
    return await written;
  }
  const isVisitor = sessionTokenFromCookie(request.headers.get('cookie')) === undefined;
  const copy = request.method === 'GET' && isVisitor ? sharedResponseAt(pathname) : undefined;
  return copy ? await readSharedResponse(env.API, request, copy, waitUntil) : await env.API.fetch(request);
};

/** Sent when a binding is missing; an exception would show Cloudflare's own error page. */
function unavailable(missing: string[]): Response {
  console.error(logLine('error', 'wrong configuration', { missing: missing.join('; ') }));
  const headers = {
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
    [API_MARKER_HEADER]: '1',
  };
  return Response.json({ error: { code: 'unavailable', message: '데이터 없음' } }, { status: 503, headers });
}
