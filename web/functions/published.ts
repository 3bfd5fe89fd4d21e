import type { PublishedContent } from '#contract/public-content';
import { seoulDay } from '#contract/time';
import { renderPrivacyParts, renderPublishedPage } from '#edge-page';
import { EMPTY_ROOT_ATTRIBUTE, isSubPage } from '../src/head/sub-page-head.ts';
import { SHARED_PUBLISHED_CONTENT, readSharedResponse } from './edge-cache.ts';

/** The address of a stored file contains publication, day and build, so the file never becomes outdated. */
const KEPT = { 'cache-control': 'public, max-age=604800' };

type Site = { API: Fetcher; ASSETS: Fetcher };
type Context = Parameters<PagesFunction<Site>>[0];

/** Makes a file from the published content and the file as it was built. @param path of the file */
type Make = (published: PublishedContent, built: string, path: string) => string | Promise<string>;

/** The published content; undefined before the first publication, or if the API does not answer. */
async function fetchPublishedContent({ env, request, waitUntil }: Context, patience?: Promise<never>) {
  const asked = new Request(new URL(SHARED_PUBLISHED_CONTENT.path, request.url));
  const answer = await readSharedResponse(
    env.API,
    asked,
    SHARED_PUBLISHED_CONTENT,
    waitUntil,
    patience,
  ).catch(() => undefined);
  // Identifies a published version; there is none before the first publication.
  const [, mark] = /"(\d+-\d+)"/.exec(answer?.headers.get('etag') ?? '') ?? [];
  return answer?.ok === true && mark !== undefined ? { answer, mark } : undefined;
}

/** Builds the response; HEAD requests and browsers that already have this version get no body. */
export function conditionalResponse(
  request: Request,
  headers: Headers,
  body: () => Response['body'],
): Response {
  const tag = headers.get('etag');
  const isKnown = tag !== null && request.headers.get('if-none-match')?.includes(tag) === true;
  if (isKnown) return new Response(null, { status: 304, headers });
  return new Response(request.method === 'HEAD' ? null : body(), { headers });
}

/** Passes requests other than GET and HEAD on to the site's static files, which refuse them. */
export const getOrHeadOnly =
  (answer: PagesFunction<Site>): PagesFunction<Site> =>
  (context) =>
    /^(GET|HEAD)$/.test(context.request.method) ? answer(context) : context.env.ASSETS.fetch(context.request);

/** Headers of a response made from a built file. @param mark identifies this response */
export function rebuiltFileHeaders(built: Response, mark: string): Headers {
  const headers = new Headers(built.headers);
  headers.set('etag', `W/"${mark}-${(built.headers.get('etag') ?? '').replaceAll(/\W/g, '')}"`);
  headers.delete('content-length');
  return headers;
}

/** Requests a built file without the browser's condition and range headers, which are for our own answer. */
export const fetchBuiltFile = ({ ASSETS }: Pick<Site, 'ASSETS'>, path: string, url: string) =>
  ASSETS.fetch(new Request(new URL(path, url)));

/** This file answers for an empty page or feed, whose own file is built because content may fill it later. */
export const NOT_PUBLISHED = '/not-published';

/** The built page that a page is rendered into: for projects /news, as a new project has no built page. */
export const builtPathFor = (path: string) => path.replace(/\/projects\/.+$/, '/news');

const PRIVACY = /^(?:\/en)?\/docs\/privacy$/;

export const isMainPage = (path: string) => /^\/(?:ko|en)?$/.test(path);

/** Whether the content has a page at this address. */
export const hasPage = (path: string, { content }: PublishedContent) =>
  isMainPage(path) || PRIVACY.test(path) || isSubPage(path.replace(/^\/en(?=\/)/, ''), content);

/** Renders a page; in the privacy notice only its published parts. Returns '' if the page does not exist. */
export const makePage: Make = async (published, built, path) => {
  if (!hasPage(path, published)) return '';
  if (!PRIVACY.test(path)) return await renderPublishedPage(built, path, published);
  let rewriter = new HTMLRewriter();
  for (const [name, html] of Object.entries(renderPrivacyParts(path, published.content)))
    rewriter = rewriter.on(`[data-edge="${name}"]`, {
      element: (place) => void place.setInnerContent(html, { html: true }),
    });
  return await rewriter.transform(new Response(built)).text();
};

/**
 * Answers with the built file, or with a file that is made from newer published content.
 * @param isEmpty whether the file has no entries and is answered with 404
 * @param patience rejects when the response must not wait longer for the published content
 */
export async function publishedResponse(
  context: Context,
  make: Make,
  isEmpty?: (text: string) => boolean,
  patience?: Promise<never>,
): Promise<Response> {
  const { env, request, waitUntil } = context;
  const { href, pathname } = new URL(request.url);
  const [file, found] = await Promise.all([
    fetchBuiltFile(env, pathname, href),
    fetchPublishedContent(context, patience),
  ]);
  const built = found && !file.ok ? await fetchBuiltFile(env, builtPathFor(pathname), href) : file;
  if (!built.ok || (!found && !isEmpty)) return built;
  // The mark includes the day, because an invitation expires at the end of a day.
  const mark = `${found?.mark}-${seoulDay(Date.now())}`;
  const headers = found ? rebuiltFileHeaders(built, mark) : built.headers;
  const build = encodeURIComponent(built.headers.get('etag') ?? '');
  const place = new URL(`/published/${mark}/${build}${pathname}`, href).href;
  const known = found && (await caches.default.match(place));
  if (known) return new Response(known.body, { headers });
  const written = await built.text();
  const text = found ? await make(await found.answer.json(), written, pathname) : written;
  if (text === '' || isEmpty?.(text)) return await fetchBuiltFile(env, NOT_PUBLISHED, href);
  if (found) waitUntil(caches.default.put(place, new Response(text, { headers: KEPT })));
  return new Response(text, { headers });
}

/** Answers with a file made from the content. As for static files, a slash at the end is redirected away. */
export const servePublishedFile = (make: Make, isEmpty?: (text: string) => boolean) =>
  getOrHeadOnly(async (context) => {
    const url = new URL(context.request.url);
    if (url.pathname.endsWith('/')) {
      url.pathname = url.pathname.replace(/\/+$/, '');
      return Response.redirect(url.href, 308);
    }
    const file = await publishedResponse(context, make, isEmpty);
    return file.ok ? conditionalResponse(context.request, file.headers, () => file.body) : file;
  });

/** Answers with a page below the main page. */
export const publishedPage = servePublishedFile(makePage, (text) => text.includes(EMPTY_ROOT_ATTRIBUTE));
