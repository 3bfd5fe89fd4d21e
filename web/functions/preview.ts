import type { Published } from '#contract/public-content';
import { drawPublished } from '#edge-page';
import { withPrivacy } from './published.ts';

type Site = { API: Fetcher; ASSETS: Fetcher };

const PRIVACY = '/docs/privacy';
const PAGES = new Set(['/ko', '/en', '/publications', '/en/publications', PRIVACY]);

/** `?page=/ko`: a page as it would look if the draft were published, for users who may edit the content. */
export const onRequestGet: PagesFunction<Site> = async ({ env, request }) => {
  const { origin, searchParams } = new URL(request.url);
  const page = searchParams.get('page') ?? '/ko';
  if (!PAGES.has(page)) return await env.ASSETS.fetch(new Request(`${origin}/not-published`));
  const [answer, built] = await Promise.all([
    env.API.fetch(new Request(`${origin}/api/content/preview`, { headers: request.headers })),
    env.ASSETS.fetch(new Request(origin + page)),
  ]);
  if (!answer.ok) return answer;
  const headers = new Headers(built.headers);
  for (const name of ['etag', 'content-length']) headers.delete(name);
  headers.set('cache-control', 'no-store');
  // The editor shows the page in an iframe.
  const policy = headers.get('content-security-policy') ?? '';
  headers.set('content-security-policy', policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"));
  const published = await answer.json<Published>();
  const drawn =
    page === PRIVACY
      ? withPrivacy(built, page, published).body
      : await drawPublished(await built.text(), page, published);
  return new Response(drawn, { headers });
};
