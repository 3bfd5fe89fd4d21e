import { missingBindings, bindings, type BoundEnv } from '#contract/bindings';
import type { Course } from '#contract/courses';
import type { PublicPlant } from '#contract/plants';
import { logLine } from '#contract/log-line';
import { currentSemester } from '#contract/terms';
import { seoulDay } from '#contract/time';
import { daysTextIn, renderPageParts } from '#edge-page';
import type { EmbeddedData } from '../src/features/landing/queries.ts';
import {
  SHARED_COURSES,
  SHARED_PUBLIC_PLANT,
  readSharedResponse,
  type SharedResponse,
  type WaitUntil,
} from './edge-cache.ts';
import {
  conditionalResponse,
  getOrHeadOnly,
  rebuiltFileHeaders,
  makePage,
  publishedResponse,
} from './published.ts';

type Env = BoundEnv<typeof bindings.site, { service: Fetcher }> & {
  /** The files of the build; Pages binds them for every site. */
  ASSETS: Fetcher;
};

/** How long a page waits for the API. A page without the data still works: the browser requests the data. */
const PATIENCE_MS = 1000;

/** Answers with the prerendered page and inserts the courses and the public plant, which only the API has. */
export const mainPage: PagesFunction<Env> = getOrHeadOnly(async (context) => {
  const { env, request, waitUntil } = context;
  const { origin, pathname } = new URL(request.url);
  const patience = rejectAfter(PATIENCE_MS);
  const [built, delivered] = await Promise.all([
    publishedResponse(context, makePage, undefined, patience),
    missingBindings(bindings.site, env).length === 0 ? readData(env.API, origin, waitUntil, patience) : {},
  ]);
  if (!built.ok) return built;
  if (Object.keys(delivered).length === 0)
    return conditionalResponse(request, built.headers, () => built.body);
  const headers = rebuiltFileHeaders(built, await markOf(delivered));
  return conditionalResponse(request, headers, () => rewritten(pathname, built, delivered).body);
});

/** Inserts the courses and the public plant into a rendered main page. */
export async function embedPageData(
  api: Fetcher,
  { url }: Request,
  pathname: string,
  drawn: Response,
  waitUntil: WaitUntil,
): Promise<Response> {
  const delivered = await readData(api, new URL(url).origin, waitUntil, rejectAfter(PATIENCE_MS));
  return new Response(rewritten(pathname, drawn, delivered).body, drawn);
}

/** Inserts the data into the page, and updates texts such as `3일 전` to today. */
function rewritten(pathname: string, built: Response, delivered: EmbeddedData): Response {
  const { parts, after } = renderPageParts(pathname, delivered);
  let rewriter = new HTMLRewriter()
    .on('#root', { element: (root) => void root.after(after, { html: true }) })
    .on('time[data-days]', {
      element: (time) => void time.setInnerContent(daysTextIn(pathname, time.getAttribute('datetime') ?? '')),
    });
  for (const [name, html] of Object.entries(parts)) {
    rewriter = rewriter.on(`[data-edge="${name}"]`, {
      element: (place) => void place.setInnerContent(html, { html: true }),
    });
  }
  return rewriter.transform(new Response(built.body));
}

/** Reads the data from the cached copies or the API. Data that does not arrive in time is left out. */
async function readData(
  api: Fetcher,
  origin: string,
  waitUntil: WaitUntil,
  patience: Promise<never>,
): Promise<EmbeddedData> {
  const ask = async <T>(shared: SharedResponse): Promise<T | undefined> => {
    const request = new Request(origin + shared.path);
    const answer = await readSharedResponse(api, request, shared, waitUntil, patience).catch(() => undefined);
    if (answer?.ok) return await answer.json<T>();
    console.error(logLine('warn', 'page_without_data', { path: shared.path, status: answer?.status ?? 0 }));
    return undefined;
  };
  const [courses, plant] = await Promise.all([
    ask<Course[]>(SHARED_COURSES),
    ask<PublicPlant | null>(SHARED_PUBLIC_PLANT),
  ]);
  return {
    ...(courses && { courses: { courses, running: currentSemester(Date.now()) } }),
    ...(plant !== undefined && { plant }),
  };
}

function rejectAfter(ms: number): Promise<never> {
  const patience = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('the API is late')), ms);
  });
  // Without this handler, the rejection would be reported as unhandled when nobody waits for the promise.
  patience.catch(() => undefined);
  return patience;
}

/** Identifies a version of the page: a digest of today's date and the inserted data. */
async function markOf(delivered: EmbeddedData): Promise<string> {
  const text = new TextEncoder().encode(seoulDay(Date.now()) + JSON.stringify(delivered));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  return Array.from(digest.slice(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
