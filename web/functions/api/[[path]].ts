import { bindings, missingBindings, type Bound } from '#contract/bindings';
import { logLine } from '#contract/log-line';
import { presentedToken } from '#contract/session-cookie';

type Env = Bound<typeof bindings.site, { service: Fetcher }>;
type WaitUntil = (work: Promise<unknown>) => void;

const COURSES = '/api/courses';
/**
 * When the edge stored a copy (milliseconds since 1970), the API's Cache-Control for it, and the mark under which it
 * was read.
 */
const STORED_AT = 'x-stored-at';
const CONTROL = 'x-stored-cache-control';
const MARK = 'x-stored-mark';
/** The edge would drop a copy once it is stale, but this one has to stand in when the API fails. */
const KEPT = 'public, max-age=604800';

/**
 * Passes every request under /api to the API worker unchanged, so that the browser sees one origin. Visitors' course
 * lists are cached at the edge according to their Cache-Control: a fresh copy saves the trip, a stale one is renewed
 * after the response and stands in when the API fails. Requests with a possible session cookie always reach the API.
 */
export const onRequest: PagesFunction<Env> = async ({ env, request, waitUntil }) => {
  const missing = missingBindings(bindings.site, env);
  if (missing.length > 0) return unavailable(missing);
  const { pathname } = new URL(request.url);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead && (pathname === COURSES || pathname.startsWith(`${COURSES}/`))) {
    const written = write(env, request);
    // Sets the mark even if the browser disconnects before the response.
    waitUntil(written);
    return await written;
  }
  const isVisitor = presentedToken(request.headers.get('cookie')) === undefined;
  if (pathname === COURSES && request.method === 'GET' && isVisitor) {
    return await fromEdge(env, request, waitUntil);
  }
  return await env.API.fetch(request);
};

/** Sent when there is nothing to answer with; an exception would show Cloudflare's own error page. */
function unavailable(missing: string[]): Response {
  console.error(logLine('error', 'wrong configuration', { missing: missing.join('; ') }));
  const headers = { 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-origin' };
  return Response.json({ error: { code: 'unavailable', message: '데이터 없음' } }, { status: 503, headers });
}

/**
 * Passes on a change of the courses. The copy stays only if the change was rejected: an API that failed may have stored
 * it first.
 */
async function write(env: Env, request: Request): Promise<Response> {
  let isRefused = false;
  try {
    const answer = await env.API.fetch(request);
    isRefused = answer.status >= 400 && answer.status < 500;
    return answer;
  } finally {
    if (!isRefused) {
      await setMark(request);
      await caches.default.delete(keyOf(request));
    }
  }
}

async function fromEdge(env: Env, request: Request, waitUntil: WaitUntil): Promise<Response> {
  const [copy, mark] = await Promise.all([caches.default.match(keyOf(request)), readMark(request)]);
  const stored = mark !== undefined && copy?.headers.get(MARK) === mark ? copy : undefined;
  const read = () => renew(env, request, mark, waitUntil);
  if (!stored) return await read();
  const { fresh, stale, standsIn } = lifetimes(stored.headers.get(CONTROL) ?? '');
  const age = (Date.now() - Number(stored.headers.get(STORED_AT))) / 1000;
  if (age <= fresh) return asAnswered(stored, age);
  if (age <= fresh + stale) {
    waitUntil(read());
    return asAnswered(stored, age);
  }
  const renewed = await read().catch(() => undefined);
  const isFailure = renewed === undefined || renewed.status >= 500;
  // There may have been a write while the API failed.
  if (isFailure && age <= fresh + standsIn && (await readMark(request)) === mark) {
    return asAnswered(stored, age);
  }
  return renewed ?? (await env.API.fetch(request));
}

/** Asks the API and stores its response under the mark read before asking. */
async function renew(
  env: Env,
  request: Request,
  known: string | undefined,
  waitUntil: WaitUntil,
): Promise<Response> {
  const mark = known ?? (await setMark(request));
  const answer = await env.API.fetch(request);
  if (!answer.ok) return answer;
  const control = answer.headers.get('cache-control') ?? '';
  const copy = new Response(answer.clone().body, answer);
  copy.headers.set(CONTROL, control);
  // It belongs to one request, but the copy answers many.
  copy.headers.delete('x-request-id');
  copy.headers.set(STORED_AT, String(Date.now()));
  copy.headers.set(MARK, mark);
  copy.headers.set('cache-control', KEPT);
  waitUntil(caches.default.put(keyOf(request), copy));
  return answer;
}

/** The copy with the headers the API sent. */
function asAnswered(stored: Response, age: number): Response {
  const answer = new Response(stored.body, stored);
  answer.headers.set('cache-control', stored.headers.get(CONTROL) ?? 'no-store');
  answer.headers.set('age', String(Math.floor(age)));
  for (const name of [CONTROL, STORED_AT, MARK]) answer.headers.delete(name);
  return answer;
}

/** One copy for all visitors, whatever their query or headers. */
const keyOf = (request: Request) => new URL(COURSES, request.url).href;

/**
 * Every write changes the mark, and a copy is valid only under the current one. What was read before a write is
 * therefore useless after it, however late it is stored.
 */
const markKeyOf = (request: Request) => new URL(`${COURSES}/mark`, request.url).href;

async function readMark(request: Request): Promise<string | undefined> {
  const found = await caches.default.match(markKeyOf(request));
  return await found?.text();
}

async function setMark(request: Request): Promise<string> {
  const mark = crypto.randomUUID();
  await caches.default.put(markKeyOf(request), new Response(mark, { headers: { 'cache-control': KEPT } }));
  return mark;
}

/** Seconds for which a copy is fresh, and for which it may then be served while it is renewed or the API fails. */
function lifetimes(control: string): { fresh: number; stale: number; standsIn: number } {
  const seconds = (name: string) => Number(new RegExp(`${name}=([0-9]+)`).exec(control)?.[1] ?? 0);
  return {
    fresh: seconds('s-maxage'),
    stale: seconds('stale-while-revalidate'),
    standsIn: seconds('stale-if-error'),
  };
}
