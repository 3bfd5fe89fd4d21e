import type { PublishedContent } from '#contract/public-content';
import { embedPageData } from './main-page.ts';
import { builtPathFor, fetchBuiltFile, hasPage, isMainPage, makePage, NOT_PUBLISHED } from './published.ts';

type Site = { API: Fetcher; ASSETS: Fetcher };

/**
 * `?page=/ko`: a page as it would look if the draft were published, for users who may edit the content. The
 * editor shows this page in a frame, without scripts and links: all other pages refuse to be in a frame, and
 * a link to `#…` would open the editor in the frame.
 */
export const onRequestGet: PagesFunction<Site> = async ({ env, request, waitUntil }) => {
  const { href, origin, searchParams } = new URL(request.url);
  const page = searchParams.get('page') ?? '/ko';
  const answer = await env.API.fetch(
    new Request(`${origin}/api/content/preview`, { headers: request.headers }),
  );
  if (!answer.ok) return answer;
  const published = await answer.json<PublishedContent>();
  if (!hasPage(page, published)) return await fetchBuiltFile(env, NOT_PUBLISHED, href);
  const built = await fetchBuiltFile(env, builtPathFor(page), href);
  const headers = new Headers(built.headers);
  for (const name of ['etag', 'content-length']) headers.delete(name);
  headers.set('cache-control', 'no-store');
  const policy = headers.get('content-security-policy') ?? '';
  headers.set('content-security-policy', policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"));
  const drawn = new Response(await makePage(published, await built.text(), page), { headers });
  return new HTMLRewriter()
    .on('script, template, link[rel="modulepreload"]', { element: (code) => void code.remove() })
    .on('a[href]', { element: (link) => void link.removeAttribute('href') })
    .transform(isMainPage(page) ? await embedPageData(env.API, request, page, drawn, waitUntil) : drawn);
};
