/**
 * Cache for API responses that are the same for all visitors; /api and the main page use it. A fresh copy
 * saves a request to the API. A stale copy is served and then renewed, or is served when the API fails.
 */

export type WaitUntil = (work: Promise<unknown>) => void;

/** `path`: the response's address in the API. `writes` matches addresses of writes that may change it. */
export type SharedResponse = { readonly path: string; readonly writes: RegExp };

export const SHARED_COURSES: SharedResponse = { path: '/api/courses', writes: /^\/api\/courses(?:\/|$)/ };
export const SHARED_PUBLIC_PLANT: SharedResponse = {
  path: '/api/plants/public',
  writes: /^\/api\/plants(?:\/|$)/,
};
/** The published content; saving a draft does not change this response. */
export const SHARED_PUBLISHED_CONTENT: SharedResponse = {
  path: '/api/content/published',
  writes: /^\/api\/content\/(?:publish|versions\/)/,
};
const all = [SHARED_COURSES, SHARED_PUBLIC_PLANT, SHARED_PUBLISHED_CONTENT];

export const sharedResponseAt = (pathname: string) => all.find(({ path }) => path === pathname);

/** Finds the shared response that a write to this address may change. */
export const sharedResponseChangedBy = (pathname: string) => all.find(({ writes }) => writes.test(pathname));

/**
 * Headers of a stored copy: when the edge stored the copy (milliseconds since 1970), the API's Cache-Control,
 * and the invalidation mark that was valid when the copy was read.
 */
const STORED_AT = 'x-stored-at';
const CONTROL = 'x-stored-cache-control';
const MARK = 'x-stored-mark';
/** Without this value the edge would drop every stale copy, but a stale copy is needed when the API fails. */
const KEPT = 'public, max-age=604800';

/**
 * Forwards a write to the API. If the API refuses the write, the copy stays valid. If the API fails, the
 * write may still have been stored, so the copy becomes doubtful: it is served only when the API fails.
 * Deleting the copy instead would let any stranger remove it while the API is down.
 */
export async function forwardWrite(
  api: Fetcher,
  request: Request,
  shared: SharedResponse,
): Promise<Response> {
  const place = placeOf(request, shared);
  let outcome: 'stored' | 'refused' | 'failed' = 'failed';
  try {
    const answer = await api.fetch(request);
    if (answer.status < 400) outcome = 'stored';
    else if (answer.status < 500) outcome = 'refused';
    return answer;
  } finally {
    if (outcome === 'stored') {
      await setMarks(place, { mark: crypto.randomUUID() });
      await caches.default.delete(place.copy);
    } else if (outcome === 'failed') {
      const [copy, marks] = await Promise.all([caches.default.match(place.copy), readMarks(place)]);
      const doubted = copy && counts(copy, marks) ? copy.headers.get(MARK) : null;
      await setMarks(place, { mark: crypto.randomUUID(), ...(doubted !== null && { doubted }) });
    }
  }
}

/**
 * Answers a visitor from the stored copy if the copy is recent enough, otherwise from the API.
 * @param request is sent to the API if the copy does not suffice; its origin is part of the cache keys
 * @param patience rejects when the caller stops waiting: then a stale copy is served, or, without a usable
 *   copy, this function rejects as well. A late response of the API is still stored for the next visitor
 */
export async function readSharedResponse(
  api: Fetcher,
  request: Request,
  shared: SharedResponse,
  waitUntil: WaitUntil,
  patience?: Promise<never>,
): Promise<Response> {
  const place = placeOf(request, shared);
  const [copy, marks] = await Promise.all([caches.default.match(place.copy), readMarks(place)]);
  const ask = () => renew(api, request, place, marks?.mark, waitUntil);
  const read = () => {
    const renewal = ask();
    if (!patience) return renewal;
    waitUntil(renewal.catch(() => undefined));
    return Promise.race([renewal, patience]);
  };
  if (!copy || !counts(copy, marks)) return await read();
  const { fresh, stale, standsIn } = lifetimes(copy.headers.get(CONTROL) ?? '');
  const age = (Date.now() - Number(copy.headers.get(STORED_AT))) / 1000;
  const isDoubted = copy.headers.get(MARK) !== marks?.mark;
  if (!isDoubted && age <= fresh) return asAnswered(copy, age);
  if (!isDoubted && age <= fresh + stale) {
    waitUntil(ask());
    return asAnswered(copy, age);
  }
  const renewed = await read().catch(() => undefined);
  const isFailure = renewed === undefined || renewed.status >= 500;
  // A write may have happened while the API failed.
  if (isFailure && age <= fresh + standsIn && counts(copy, await readMarks(place))) {
    return asAnswered(copy, age);
  }
  return renewed ?? (await read());
}

/** Whether the copy is still valid: no write has succeeded since the copy was read. */
function counts(copy: Response, marks: Marks | undefined): boolean {
  const own = copy.headers.get(MARK);
  return own !== null && (own === marks?.mark || own === marks?.doubted);
}

/** Asks the API and stores the response under the mark that was read before the request. */
async function renew(
  api: Fetcher,
  request: Request,
  place: Place,
  known: string | undefined,
  waitUntil: WaitUntil,
): Promise<Response> {
  const mark = known ?? crypto.randomUUID();
  if (known === undefined) await setMarks(place, { mark });
  const answer = await api.fetch(request);
  if (!answer.ok) return answer;
  const control = answer.headers.get('cache-control') ?? '';
  // The whole body is read before the response is passed on: the caller's time limit includes the body.
  const body = await answer.arrayBuffer();
  const copy = new Response(body, answer);
  copy.headers.set(CONTROL, control);
  // The request id belongs to one request, but the copy is served for many.
  copy.headers.delete('x-request-id');
  copy.headers.set(STORED_AT, String(Date.now()));
  copy.headers.set(MARK, mark);
  copy.headers.set('cache-control', KEPT);
  waitUntil(caches.default.put(place.copy, copy));
  return new Response(body, answer);
}

/** Turns a stored copy into a response with the headers that the API sent. */
function asAnswered(stored: Response, age: number): Response {
  const answer = new Response(stored.body, stored);
  answer.headers.set('cache-control', stored.headers.get(CONTROL) ?? 'no-store');
  answer.headers.set('age', String(Math.floor(age)));
  for (const name of [CONTROL, STORED_AT, MARK]) answer.headers.delete(name);
  return answer;
}

/** The cache keys of a copy and its marks; all visitors share them, whatever query or headers they send. */
type Place = { copy: string; marks: string };

const placeOf = ({ url }: Request, { path }: SharedResponse): Place => ({
  copy: new URL(path, url).href,
  marks: new URL(`${path}/mark`, url).href,
});

/**
 * A copy is valid only if it has the current mark, and every write sets a new mark. So data that was read
 * before a write is invalid after the write, even if the data is stored later. After a failed write, the mark
 * of the existing copy moves to `doubted`.
 */
type Marks = { mark: string; doubted?: string };

async function readMarks(place: Place): Promise<Marks | undefined> {
  const found = await caches.default.match(place.marks);
  const [mark, doubted] = (await found?.text())?.split(' ') ?? [];
  return mark === undefined ? undefined : { mark, ...(doubted !== undefined && { doubted }) };
}

async function setMarks(place: Place, { mark, doubted }: Marks): Promise<void> {
  const text = doubted === undefined ? mark : `${mark} ${doubted}`;
  await caches.default.put(place.marks, new Response(text, { headers: { 'cache-control': KEPT } }));
}

/** In seconds: how long a copy is fresh, and how much longer it is served during renewal or API failures. */
function lifetimes(control: string): { fresh: number; stale: number; standsIn: number } {
  const seconds = (name: string) => Number(new RegExp(`${name}=([0-9]+)`).exec(control)?.[1] ?? 0);
  return {
    fresh: seconds('s-maxage'),
    stale: seconds('stale-while-revalidate'),
    standsIn: seconds('stale-if-error'),
  };
}
