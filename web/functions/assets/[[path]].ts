type Env = { ASSETS: Fetcher };

/**
 * A file that is there is kept for good, as `_headers` says. That rule holds for a missing one too, which may be there
 * again after the next deployment: a browser that kept its 404 would not ask any more.
 */
export const onRequest: PagesFunction<Env> = async ({ env, request }) => {
  const answer = await env.ASSETS.fetch(request);
  if (answer.ok || answer.status === 304) return answer;
  const headers = new Headers(answer.headers);
  headers.set('cache-control', 'no-store');
  return new Response(answer.body, { status: answer.status, headers });
};
