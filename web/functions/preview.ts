import type { Published } from '#contract/public-content';
import { drawPublished } from '#edge-page';
import { isSubPage } from '../src/head/sub-page-head.ts';
import { withData } from './main-page.ts';
import { withPrivacy } from './published.ts';

type Site = { API: Fetcher; ASSETS: Fetcher };

/** `?page=/ko`: a page as it would look if the draft were published, for users who may edit the content. */
export const onRequestGet: PagesFunction<Site> = async ({ env, request, waitUntil }) => {
  const { origin, searchParams } = new URL(request.url);
  const page = searchParams.get('page') ?? '/ko';
  const answer = await env.API.fetch(
    new Request(`${origin}/api/content/preview`, { headers: request.headers }),
  );
  if (!answer.ok) return answer;
  const published = await answer.json<Published>();
  const [, english = '', path = ''] = /^(\/en)?(\/.+)$/.exec(page) ?? [];
  const isPrivacy = path === '/docs/privacy';
  const isMain = page === '/ko' || page === '/en';
  const isPage = isMain || isPrivacy || isSubPage(path, published.content);
  // Every page of its kind was built, except that of a project, which is inserted into the news page.
  const file = !isPage ? '/not-published' : path.startsWith('/projects/') ? `${english}/news` : page;
  const built = await env.ASSETS.fetch(new Request(origin + file));
  if (!isPage) return built;
  const headers = new Headers(built.headers);
  for (const name of ['etag', 'content-length']) headers.delete(name);
  headers.set('cache-control', 'no-store');
  // The editor shows the page in an iframe.
  const policy = headers.get('content-security-policy') ?? '';
  headers.set('content-security-policy', policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"));
  if (isPrivacy) return new Response(withPrivacy(built, page, published).body, { headers });
  const drawn = new Response(await drawPublished(await built.text(), page, published), { headers });
  return isMain ? await withData(env.API, request, page, drawn, waitUntil) : drawn;
};
