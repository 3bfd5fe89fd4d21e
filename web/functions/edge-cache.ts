/**
 * What visitors share at the edge. A fresh copy saves the trip to the API, a stale one is renewed after the response and
 * stands in when the API fails. Used by the function under /api and by the main page's.
 */

export type WaitUntil = (work: Promise<unknown>) => void;

/** Where the API answers with it, and under which addresses a write may change it. */
export type Shared = { readonly path: string; readonly writes: RegExp };

export const COURSES: Shared = { path: '/api/courses', writes: /^\/api\/courses(?:\/|$)/ };
export const PUBLIC_PLANT: Shared = { path: '/api/plants/public', writes: /^\/api\/plants(?:\/|$)/ };
/** What is published of the content; a draft changes nothing of it. */
export const PUBLISHED: Shared = {
  path: '/api/content/published',
  writes: /^\/api\/content\/(?:publish|versions\/)/,
};
const all = [COURSES, PUBLIC_PLANT, PUBLISHED];

export const sharedAt = (pathname: string) => all.find(({ path }) => path === pathname);

/** What a write to an address may change. */
export const sharedWrittenBy = (pathname: string) => all.find(({ writes }) => writes.test(pathname));

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
 * Hands a change on to the API. A refusal leaves the copy. An API that failed may have stored before it did, so the
 * copy is doubted: it answers nobody whom the API answers, but stands in, or any stranger could take it away while the
 * API fails.
 */
export async function forwardWrite(api: Fetcher, request: Request, shared: Shared): Promise<Response> {
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
 * A visitor's answer, from the copy if that is good enough.
 * @param request what is passed to the API, or tells it the site's origin
 * @param patience rejects when the caller waits no longer: a copy that may stand in then does, and otherwise this
 *   rejects too. What the API then answers late is still kept for the next one
 */
export async function readShared(
  api: Fetcher,
  request: Request,
  shared: Shared,
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
  // There may have been a write while the API failed.
  if (isFailure && age <= fresh + standsIn && counts(copy, await readMarks(place))) {
    return asAnswered(copy, age);
  }
  return renewed ?? (await read());
}

/** Whether the copy is still worth something: no write has succeeded since it was read. */
function counts(copy: Response, marks: Marks | undefined): boolean {
  const own = copy.headers.get(MARK);
  return own !== null && (own === marks?.mark || own === marks?.doubted);
}

/** Asks the API and stores its response under the mark read before asking. */
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
  // Whole before it is of use: a caller that waits no longer would wait for the rest of it.
  const body = await answer.arrayBuffer();
  const copy = new Response(body, answer);
  copy.headers.set(CONTROL, control);
  // It belongs to one request, but the copy answers many.
  copy.headers.delete('x-request-id');
  copy.headers.set(STORED_AT, String(Date.now()));
  copy.headers.set(MARK, mark);
  copy.headers.set('cache-control', KEPT);
  waitUntil(caches.default.put(place.copy, copy));
  return new Response(body, answer);
}

/** The copy with the headers the API sent. */
function asAnswered(stored: Response, age: number): Response {
  const answer = new Response(stored.body, stored);
  answer.headers.set('cache-control', stored.headers.get(CONTROL) ?? 'no-store');
  answer.headers.set('age', String(Math.floor(age)));
  for (const name of [CONTROL, STORED_AT, MARK]) answer.headers.delete(name);
  return answer;
}

/** Keys in the edge's cache: one copy for all visitors, whatever their query or headers, and its marks. */
type Place = { copy: string; marks: string };

const placeOf = ({ url }: Request, { path }: Shared): Place => ({
  copy: new URL(path, url).href,
  marks: new URL(`${path}/mark`, url).href,
});

/**
 * Every write leaves another mark at this place, and a copy counts only under the mark of the moment: what was read
 * before a write is worth nothing after it, however late it is stored. After a write that failed, the mark of the copy
 * that was there is `doubted`.
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

/** Seconds for which a copy is fresh, and for which it may then be served while it is renewed or the API fails. */
function lifetimes(control: string): { fresh: number; stale: number; standsIn: number } {
  const seconds = (name: string) => Number(new RegExp(`${name}=([0-9]+)`).exec(control)?.[1] ?? 0);
  return {
    fresh: seconds('s-maxage'),
    stale: seconds('stale-while-revalidate'),
    standsIn: seconds('stale-if-error'),
  };
}
