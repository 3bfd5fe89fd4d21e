import type { Published } from '#contract/public-content';
import { drawPublished } from '#edge-page';
import { withPrivacy } from './published.ts';

type Site = { API: Fetcher; ASSETS: Fetcher };

const PRIVACY = '/docs/privacy';
const PAGES = new Set(['/ko', '/en', '/publications', '/en/publications', PRIVACY]);

/** `?page=/ko`: a page as it would be if the draft were published, for who may edit it. */
export const onRequestGet: PagesFunction<Site> = async ({ env, request }) => {
  const { origin, searchParams } = new URL(request.url);
  const page = searchParams.get('page') ?? '/ko';
  const headers = { 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' };
  if (!PAGES.has(page)) return new Response(null, { status: 404, headers });
  const [answer, built] = await Promise.all([
    env.API.fetch(new Request(`${origin}/api/content/preview`, { headers: request.headers })),
    env.ASSETS.fetch(new Request(origin + page)),
  ]);
  if (!answer.ok) return answer;
  const published = await answer.json<Published>();
  if (page === PRIVACY) return withPrivacy(new Response(built.body, { headers }), page, published);
  return new Response(await drawPublished(await built.text(), page, published), { headers });
};
