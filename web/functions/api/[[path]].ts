import { bindings, missingBindings, type Bound } from '#contract/bindings';
import { logLine } from '#contract/log-line';

type Env = Bound<typeof bindings.site, { service: Fetcher }>;

const SESSION_COOKIE = '__Host-session=';
/** When the edge stored a copy (milliseconds since 1970), and the Cache-Control that the API gave it. */
const STORED_AT = 'x-stored-at';
const CONTROL = 'x-stored-cache-control';

/**
 * Hands every request under /api to the API worker as it came, so that the browser sees one origin. Visitors' lists
 * of courses are kept at the edge as their Cache-Control says: fresh copies save the trip, stale ones are renewed
 * behind the answer and stand in when the API fails. Whoever is signed in always asks the API itself.
 */
export const onRequest: PagesFunction<Env> = async ({ env, request, waitUntil }) => {
  const missing = missingBindings(bindings.site, env);
  if (missing.length > 0) return unavailable(missing);
  const isCourses = new URL(request.url).pathname === '/api/courses';
  if (!isCourses) return await env.API.fetch(request);
  const isVisitor = !request.headers.get('cookie')?.includes(SESSION_COOKIE);
  if (request.method === 'GET' && isVisitor) return await fromEdge(env, request, waitUntil);
  const answer = await env.API.fetch(request);
  if (request.method !== 'GET' && answer.ok) await caches.default.delete(keyOf(request));
  return answer;
};

/** Nothing can be answered; an exception would be answered by a page of Cloudflare's. */
function unavailable(missing: string[]): Response {
  console.error(logLine('error', 'wrong configuration', { missing: missing.join('; ') }));
  return Response.json({ error: { code: 'unavailable', message: '데이터 없음' } }, { status: 503 });
}

async function fromEdge(
  env: Env,
  request: Request,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<Response> {
  const stored = await caches.default.match(keyOf(request));
  if (!stored) return await renew(env, request, waitUntil);
  const { fresh, stale } = lifetimes(stored.headers.get(CONTROL) ?? '');
  const age = (Date.now() - Number(stored.headers.get(STORED_AT))) / 1000;
  if (age > fresh + stale) {
    const renewed = await renew(env, request, waitUntil);
    return renewed.ok ? renewed : asAnswered(stored);
  }
  if (age > fresh) waitUntil(renew(env, request, waitUntil));
  return asAnswered(stored);
}

async function renew(
  env: Env,
  request: Request,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<Response> {
  const answer = await env.API.fetch(request);
  if (!answer.ok) return answer;
  const control = answer.headers.get('cache-control') ?? '';
  const copy = new Response(answer.clone().body, answer);
  copy.headers.set(CONTROL, control);
  // It is of one request, and the copy answers many.
  copy.headers.delete('x-request-id');
  copy.headers.set(STORED_AT, String(Date.now()));
  // The edge would drop a copy that is stale by its own words; this one is to stand in when the API fails.
  copy.headers.set('cache-control', 'public, max-age=604800');
  waitUntil(caches.default.put(keyOf(request), copy));
  return answer;
}

/** The copy with the headers that the API gave it. */
function asAnswered(stored: Response): Response {
  const answer = new Response(stored.body, stored);
  answer.headers.set('cache-control', stored.headers.get(CONTROL) ?? 'no-store');
  answer.headers.delete(CONTROL);
  answer.headers.delete(STORED_AT);
  return answer;
}

/** One copy, whatever the visitor's query or headers. */
const keyOf = (request: Request) => new URL('/api/courses', request.url).href;

/** Seconds for which a copy is fresh, and for which it may be used while it is renewed. */
function lifetimes(control: string): { fresh: number; stale: number } {
  const seconds = (name: string) => Number(new RegExp(`${name}=([0-9]+)`).exec(control)?.[1] ?? 0);
  return { fresh: seconds('s-maxage'), stale: seconds('stale-while-revalidate') };
}
