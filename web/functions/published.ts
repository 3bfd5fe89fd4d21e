import type { Published } from '#contract/public-content';
import { seoulDay } from '#contract/time';
import { drawPrivacy, drawPublished } from '#edge-page';
import { EMPTY_ROOT } from '../src/head/feeds.ts';
import { isSubPage } from '../src/head/sub-page-head.ts';
import { PUBLISHED, readShared, type WaitUntil } from './edge-cache.ts';

/** A page is drawn once a day in each place of the edge: by what was published, build and address. */
const KEPT = { 'cache-control': 'public, max-age=604800' };

type Site = { API: Fetcher; ASSETS: Fetcher };

/**
 * What is published; undefined while the site says what it was built with, or where nobody knows.
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

/** Tells one publishing from every other; undefined before the first. */
const markOf = (answer: Response) => /"(\d+-\d+)"/.exec(answer.headers.get('etag') ?? '')?.[1];

/** The address without what a browser or feed reader knows: a condition or a range would be about the file as it was built. */
export const unconditionalRequest = ({ url }: Request) => new Request(url);

/** Makes the answer; HEAD and a browser that has this version already get no body. */
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

/** Hands what is neither GET nor HEAD on to the site's files, which refuse it. */
export const getOrHeadOnly =
  (answer: PagesFunction<Site>): PagesFunction<Site> =>
  (context) =>
    /^(GET|HEAD)$/.test(context.request.method) ? answer(context) : context.env.ASSETS.fetch(context.request);

/** The built page of the request, drawn anew when something else is published. */
export async function publishedPage(
  request: Request,
  built: Response,
  answer: Response | undefined,
  waitUntil: WaitUntil,
): Promise<Response> {
  if (!answer || !built.ok) return built;
  const { origin, pathname } = new URL(request.url);
  // An invitation ends with a day.
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

/** Headers of what was made of a built file. @param mark tells it from what else was made of that */
export function headersOf(built: Response, mark: string): Headers {
  const headers = new Headers(built.headers);
  headers.set('etag', `W/"${mark}-${(built.headers.get('etag') ?? '').replaceAll(/\W/g, '')}"`);
  headers.delete('content-length');
  return headers;
}

type Context = Parameters<PagesFunction<Site>>[0];

/** The file as the build wrote it, and what is published. */
const builtAndPublished = ({ env, request, waitUntil }: Context) =>
  Promise.all([
    env.ASSETS.fetch(unconditionalRequest(request)),
    fetchPublished(env.API, new URL(request.url).origin, waitUntil),
  ]);

/** A page or feed without anything in it is none; the build writes them in any case, to be filled by what is published. */
const notFound = ({ env, request }: Context) =>
  env.ASSETS.fetch(new Request(new URL('/not-published', request.url)));

/** Answers with a page below the main page, as the build drew it or drawn anew. */
export const subPage = getOrHeadOnly(async (context) => {
  const [file, answer] = await builtAndPublished(context);
  const { origin, pathname } = new URL(context.request.url);
  const english = pathname.startsWith('/en/') ? '/en' : '';
  const { content } = answer ? await answer.clone().json<Published>() : {};
  const isNone = content
    ? !isSubPage(pathname.slice(english.length), content)
    : file.ok && (await file.clone().text()).includes(EMPTY_ROOT);
  if (isNone) return await notFound(context);
  // Of a project that came after the build there is no file.
  const isNew = answer && !file.ok;
  const built = isNew ? await context.env.ASSETS.fetch(new Request(`${origin}${english}/news`)) : file;
  const page = await publishedPage(context.request, built, answer, context.waitUntil);
  return page.ok ? conditionalResponse(context.request, page.headers, () => page.body) : page;
});

/** The privacy notice as the build wrote it, with what is published of it. */
export function withPrivacy(built: Response, pathname: string, { content }: Published): Response {
  let rewriter = new HTMLRewriter();
  for (const [name, html] of Object.entries(drawPrivacy(pathname, content)))
    rewriter = rewriter.on(`[data-edge="${name}"]`, {
      element: (place) => void place.setInnerContent(html, { html: true }),
    });
  return rewriter.transform(new Response(built.body));
}

/** Answers with the privacy notice. */
export const privacyPage = getOrHeadOnly(async (context) => {
  const [built, answer] = await builtAndPublished(context);
  if (!built.ok) return built;
  if (!answer) return conditionalResponse(context.request, built.headers, () => built.body);
  const { pathname } = new URL(context.request.url);
  const page = withPrivacy(built, pathname, await answer.clone().json<Published>());
  return conditionalResponse(context.request, headersOf(built, markOf(answer) ?? ''), () => page.body);
});

/**
 * Answers a file that the build wrote of the content, made anew when something else is published.
 * @param isEmpty whether the file says nothing, and so is none
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
