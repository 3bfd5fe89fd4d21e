import type { Published } from '#contract/public-content';
import { seoulDay } from '#contract/time';
import { drawPrivacy, drawPublished } from '#edge-page';
import { EMPTY_ROOT } from '../src/head/feeds.ts';
import { isSubPage } from '../src/head/sub-page-head.ts';
import { PUBLISHED, readShared, type WaitUntil } from './edge-cache.ts';

/** The edge renders a page once a day in each location, for each publication, build and address. */
const KEPT = { 'cache-control': 'public, max-age=604800' };

type Site = { API: Fetcher; ASSETS: Fetcher };

/**
 * The published content; undefined while the site shows what it was built with, or without an answer.
 * @param patience rejects when the page waits no longer
 */
export async function fetchPublished(
  api: Fetcher,
  origin: string,
  waitUntil: WaitUntil,
  patience?: Promise<never>,
): Promise<Response | undefined> {
  const request = new Request(origin + PUBLISHED.path);
  const answer = await readShared(api, request, PUBLISHED, waitUntil, patience).catch(() => undefined);
  return answer?.ok === true && markOf(answer) !== undefined ? answer : undefined;
}

/** Identifies a published version; undefined before the first publication. */
const markOf = (answer: Response) => /"(\d+-\d+)"/.exec(answer.headers.get('etag') ?? '')?.[1];

/** The request without conditional and range headers: those refer to the cached file, not to the file as it was built. */
export const unconditionalRequest = ({ url }: Request) => new Request(url);

/** Builds the response; HEAD requests and browsers that already have this version get no body. */
export function conditionalResponse(
  request: Request,
  headers: Headers,
  body: () => Response['body'] | string,
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

/** The built page, rendered again when newer content is published. */
export async function publishedPage(
  request: Request,
  built: Response,
  answer: Response | undefined,
  waitUntil: WaitUntil,
): Promise<Response> {
  if (!answer || !built.ok) return built;
  const { origin, pathname } = new URL(request.url);
  // The mark includes the day, because an invitation expires at the end of a day.
  const mark = `${markOf(answer)}-${seoulDay(Date.now())}`;
  const build = built.headers.get('etag') ?? '';
  const place = new URL(`/published/${mark}/${encodeURIComponent(build)}${pathname}`, origin).href;
  const headers = headersOf(built, mark);
  const known = await caches.default.match(place);
  if (known) return new Response(known.body, { headers });
  const drawn = await drawPublished(await built.text(), pathname, await answer.json<Published>());
  waitUntil(caches.default.put(place, new Response(drawn, { headers: KEPT })));
  return new Response(drawn, { headers });
}

/** Headers of a response made from a built file. @param mark identifies this response */
export function headersOf(built: Response, mark: string): Headers {
  const headers = new Headers(built.headers);
  headers.set('etag', `W/"${mark}-${(built.headers.get('etag') ?? '').replaceAll(/\W/g, '')}"`);
  headers.delete('content-length');
  return headers;
}

type Context = Parameters<PagesFunction<Site>>[0];

/** The file as the build wrote it, and the published content. */
const builtAndPublished = ({ env, request, waitUntil }: Context) =>
  Promise.all([
    env.ASSETS.fetch(unconditionalRequest(request)),
    fetchPublished(env.API, new URL(request.url).origin, waitUntil),
  ]);

/** An empty page or feed is answered with 404. The build writes it anyway, because published content may fill it later. */
const notFound = ({ env, request }: Context) =>
  env.ASSETS.fetch(new Request(new URL('/not-published', request.url)));

/** Answers with a page below the main page, prerendered or rendered again with the published content. */
export const subPage = getOrHeadOnly(async (context) => {
  const [file, answer] = await builtAndPublished(context);
  const { origin, pathname } = new URL(context.request.url);
  const english = pathname.startsWith('/en/') ? '/en' : '';
  const { content } = answer ? await answer.clone().json<Published>() : {};
  const isNone = content
    ? !isSubPage(pathname.slice(english.length), content)
    : file.ok && (await file.clone().text()).includes(EMPTY_ROOT);
  if (isNone) return await notFound(context);
  // A project that was added after the build has no file.
  const isNew = answer && !file.ok;
  const built = isNew ? await context.env.ASSETS.fetch(new Request(`${origin}${english}/news`)) : file;
  const page = await publishedPage(context.request, built, answer, context.waitUntil);
  return page.ok ? conditionalResponse(context.request, page.headers, () => page.body) : page;
});

/** The privacy notice as the build wrote it, with the published parts inserted. */
export function withPrivacy(built: Response, pathname: string, { content }: Published): Response {
  let rewriter = new HTMLRewriter();
  for (const [name, html] of Object.entries(drawPrivacy(pathname, content)))
    rewriter = rewriter.on(`[data-edge="${name}"]`, {
      element: (place) => void place.setInnerContent(html, { html: true }),
    });
  return rewriter.transform(new Response(built.body));
}

export const privacyPage = getOrHeadOnly(async (context) => {
  const [built, answer] = await builtAndPublished(context);
  if (!built.ok) return built;
  if (!answer) return conditionalResponse(context.request, built.headers, () => built.body);
  const { pathname } = new URL(context.request.url);
  const page = withPrivacy(built, pathname, await answer.clone().json<Published>());
  return conditionalResponse(context.request, headersOf(built, markOf(answer) ?? ''), () => page.body);
});

/**
 * Answers with a file made from the content, made again when newer content is published.
 * @param isEmpty whether the file has no entries and is answered with 404
 */
export const publishedFile = (
  make: (published: Published, built: string) => string,
  isEmpty: (text: string) => boolean = () => false,
) =>
  getOrHeadOnly(async (context) => {
    const [built, answer] = await builtAndPublished(context);
    if (!built.ok) return built;
    const written = await built.clone().text();
    const text = answer ? make(await answer.clone().json<Published>(), written) : written;
    if (isEmpty(text)) return await notFound(context);
    const headers = answer ? headersOf(built, markOf(answer) ?? '') : built.headers;
    return conditionalResponse(context.request, headers, () => text);
  });
