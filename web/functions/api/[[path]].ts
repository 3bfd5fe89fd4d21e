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
 * Hands on a change of the courses. A refusal leaves the copy. An API that failed may have stored before it did, so the
 * copy is doubted: it answers nobody whom the API answers, but stands in, or any stranger could take it away while the
 * API fails.
 */
async function write(env: Env, request: Request): Promise<Response> {
  let outcome: 'stored' | 'refused' | 'failed' = 'failed';
  try {
    const answer = await env.API.fetch(request);
    if (answer.status < 400) outcome = 'stored';
    else if (answer.status < 500) outcome = 'refused';
    return answer;
  } finally {
    if (outcome === 'stored') {
      await setMarks(request, { mark: crypto.randomUUID() });
      await caches.default.delete(keyOf(request));
    } else if (outcome === 'failed') {
      const [copy, marks] = await Promise.all([caches.default.match(keyOf(request)), readMarks(request)]);
      const doubted = copy && counts(copy, marks) ? copy.headers.get(MARK) : null;
      await setMarks(request, { mark: crypto.randomUUID(), ...(doubted !== null && { doubted }) });
    }
  }
}

async function fromEdge(env: Env, request: Request, waitUntil: WaitUntil): Promise<Response> {
  const [copy, marks] = await Promise.all([caches.default.match(keyOf(request)), readMarks(request)]);
  const read = () => renew(env, request, marks?.mark, waitUntil);
  if (!copy || !counts(copy, marks)) return await read();
  const { fresh, stale, standsIn } = lifetimes(copy.headers.get(CONTROL) ?? '');
  const age = (Date.now() - Number(copy.headers.get(STORED_AT))) / 1000;
  const isDoubted = copy.headers.get(MARK) !== marks?.mark;
  if (!isDoubted && age <= fresh) return asAnswered(copy, age);
  if (!isDoubted && age <= fresh + stale) {
    waitUntil(read());
    return asAnswered(copy, age);
  }
  const renewed = await read().catch(() => undefined);
  const isFailure = renewed === undefined || renewed.status >= 500;
  // There may have been a write while the API failed.
  if (isFailure && age <= fresh + standsIn && counts(copy, await readMarks(request))) {
    return asAnswered(copy, age);
  }
  return renewed ?? (await env.API.fetch(request));
}

/** Whether the copy is still worth something: no write has succeeded since it was read. */
function counts(copy: Response, marks: Marks | undefined): boolean {
  const own = copy.headers.get(MARK);
  return own !== null && (own === marks?.mark || own === marks?.doubted);
}

/** Asks the API and stores its response under the mark read before asking. */
async function renew(
  env: Env,
  request: Request,
  known: string | undefined,
  waitUntil: WaitUntil,
): Promise<Response> {
  const mark = known ?? crypto.randomUUID();
  if (known === undefined) await setMarks(request, { mark });
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
 * Every write leaves another mark at this place, and a copy counts only under the mark of the moment: what was read
 * before a write is worth nothing after it, however late it is stored. After a write that failed, the mark of the copy
 * that was there is `doubted`.
 */
const markKeyOf = (request: Request) => new URL(`${COURSES}/mark`, request.url).href;

type Marks = { mark: string; doubted?: string };

async function readMarks(request: Request): Promise<Marks | undefined> {
  const found = await caches.default.match(markKeyOf(request));
  const [mark, doubted] = (await found?.text())?.split(' ') ?? [];
  return mark === undefined ? undefined : { mark, ...(doubted !== undefined && { doubted }) };
}

async function setMarks(request: Request, { mark, doubted }: Marks): Promise<void> {
  const text = doubted === undefined ? mark : `${mark} ${doubted}`;
  await caches.default.put(markKeyOf(request), new Response(text, { headers: { 'cache-control': KEPT } }));
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
