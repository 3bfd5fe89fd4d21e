type Env = { ASSETS: Fetcher };

/**
 * `_headers` lets browsers cache every file here for a year, and would do so for a 404, too. But the file may
 * exist again after the next deployment, and a browser with a cached 404 would not request the file.
 */
export const onRequest: PagesFunction<Env> = async ({ env, request }) => {
  const answer = await env.ASSETS.fetch(request);
  if (answer.ok || answer.status === 304) return answer;
  const headers = new Headers(answer.headers);
  headers.set('cache-control', 'no-store');
  return new Response(answer.body, { status: answer.status, headers });
};
