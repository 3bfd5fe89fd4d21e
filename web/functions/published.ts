import type { Published } from '#contract/public-content';
import { drawPrivacy, drawPublished } from '#edge-page';
import { NOTHING } from '../src/head/feeds.ts';
import { PUBLISHED, readShared, type WaitUntil } from './edge-cache.ts';

/** A page is drawn once in each place of the edge: by version of the content, build and address. */
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
  return answer?.ok === true && versionOf(answer) !== '0' ? answer : undefined;
}

const versionOf = (answer: Response) => /"(\d+)"/.exec(answer.headers.get('etag') ?? '')?.[1] ?? '0';

/** The built page of the request, drawn anew when something else is published. */
export async function publishedPage(
  request: Request,
  built: Response,
  answer: Response | undefined,
  waitUntil: WaitUntil,
): Promise<Response> {
  if (!answer || !built.ok) return built;
  const { origin, pathname } = new URL(request.url);
  const version = versionOf(answer);
  const build = built.headers.get('etag') ?? '';
  const place = new URL(`/published/${version}/${encodeURIComponent(build)}${pathname}`, origin).href;
  const headers = new Headers(built.headers);
  headers.set('etag', `W/"${version}-${build.replaceAll(/\W/g, '')}"`);
  headers.delete('content-length');
  const known = await caches.default.match(place);
  if (known) return new Response(known.body, { headers });
  const drawn = await drawPublished(await built.text(), pathname, await answer.json<Published>());
  waitUntil(caches.default.put(place, new Response(drawn, { headers: KEPT })));
  return new Response(drawn, { headers });
}

type Context = Parameters<PagesFunction<Site>>[0];

/** The file as the build wrote it, and what is published. */
const builtAndPublished = ({ env, request, waitUntil }: Context) =>
  Promise.all([env.ASSETS.fetch(request), fetchPublished(env.API, new URL(request.url).origin, waitUntil)]);

/** A page or feed without anything in it is none; the build writes them in any case, to be filled by what is published. */
const notFound = ({ env, request }: Context) =>
  env.ASSETS.fetch(new Request(new URL('/not-published', request.url)));

/** Answers with the list of publications, as the build drew it or drawn anew. */
export const publicationsPage: PagesFunction<Site> = async (context) => {
  const [built, answer] = await builtAndPublished(context);
  const { content } = answer ? await answer.clone().json<Published>() : {};
  const isNone = content
    ? content.publications.count === 0
    : built.ok && (await built.clone().text()).includes(NOTHING);
  if (isNone) return await notFound(context);
  return await publishedPage(context.request, built, answer, context.waitUntil);
};

/** The privacy notice as the build wrote it, with what is published of it. */
export function withPrivacy(built: Response, pathname: string, { content, version }: Published): Response {
  const headers = new Headers(built.headers);
  headers.set('etag', `W/"${version}-${(headers.get('etag') ?? '').replaceAll(/\W/g, '')}"`);
  headers.delete('content-length');
  let rewriter = new HTMLRewriter();
  for (const [name, html] of Object.entries(drawPrivacy(pathname, content)))
    rewriter = rewriter.on(`[data-edge="${name}"]`, {
      element: (place) => void place.setInnerContent(html, { html: true }),
    });
  return rewriter.transform(new Response(built.body, { headers }));
}

/** Answers with the privacy notice. */
export const privacyPage: PagesFunction<Site> = async (context) => {
  const [built, answer] = await builtAndPublished(context);
  if (!built.ok || !answer) return built;
  return withPrivacy(built, new URL(context.request.url).pathname, await answer.json<Published>());
};

/**
 * Answers a file that the build wrote of the content, made anew when something else is published.
 * @param isEmpty whether the file says nothing, and so is none
 */
export const publishedFile =
  (make: (published: Published) => string, isEmpty: (text: string) => boolean): PagesFunction<Site> =>
  async (context) => {
    const [built, answer] = await builtAndPublished(context);
    if (!built.ok) return built;
    const text = answer ? make(await answer.json<Published>()) : await built.clone().text();
    if (isEmpty(text)) return await notFound(context);
    if (!answer) return built;
    const headers = new Headers(built.headers);
    for (const name of ['etag', 'content-length']) headers.delete(name);
    return new Response(text, { headers });
  };
