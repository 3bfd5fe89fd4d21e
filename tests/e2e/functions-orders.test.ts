import { Response, type Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSiteFunctions } from '../support/site-functions.ts';
import { isFull } from '../support/counts.ts';

/* The site's own function with its cache in workerd; the API behind it does what the order of the moment says. */

const lasting = 'stale-if-error=86400';
const controls = {
  fresh: `public, max-age=0, s-maxage=60, stale-while-revalidate=60, ${lasting}`,
  stale: `public, max-age=0, s-maxage=0, stale-while-revalidate=60, ${lasting}`,
  expired: `public, max-age=0, s-maxage=0, stale-while-revalidate=0, ${lasting}`,
};

/** One laboratory's API, under a host of its own: its list is the number of writes that it holds. */
class Place {
  readonly origin: string;
  readonly control: string;
  writes = 0;
  asked = 0;
  isFailing = false;
  /** Whether the next list that is read waits with its answer. */
  isSlow = false;
  arrived = Promise.withResolvers<void>();
  readonly held: (() => void)[] = [];

  constructor(name: string, control: string) {
    this.origin = `http://${name}.test`;
    this.control = control;
  }

  async answer(method: string, path: string): Promise<Response> {
    if (path.endsWith('/refused')) return Response.json({}, { status: 401 });
    if (method !== 'GET') {
      this.writes += 1;
      return Response.json({}, { status: path.endsWith('/failing') ? 500 : 200 });
    }
    this.asked += 1;
    const { writes, isFailing } = this;
    this.arrived.resolve();
    if (this.isSlow) {
      this.isSlow = false;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.held.push(resolve);
      await promise;
    }
    if (isFailing) return Response.json({}, { status: 500 });
    return Response.json(writes, { headers: { 'cache-control': this.control } });
  }

  release(): void {
    for (const release of this.held.splice(0)) release();
  }
}

const places = new Map<string, Place>();
let site: Miniflare;
beforeAll(async () => {
  site = await startSiteFunctions({
    API: async ({ url, method }) => {
      const { origin, pathname } = new URL(url);
      const answer = await places.get(origin)?.answer(method, pathname);
      return answer ?? new Response(null, { status: 404 });
    },
  });
});
afterAll(() => site?.dispose());

function newPlace(name: string, control: string): Place {
  const place = new Place(name, control);
  places.set(place.origin, place);
  return place;
}

const get = async (place: Place) => await site.dispatchFetch(`${place.origin}/api/courses`);

/** Resolves when a visitor is answered from the copy: it is stored behind the first answer. */
async function untilKept(place: Place): Promise<void> {
  await expect
    .poll(async () => {
      const before = place.asked;
      await get(place);
      return place.asked - before;
    })
    .toBe(0);
}

const steps = ['get', 'slow', 'release', 'write', 'fail'] as const;
/** In turns. The last one has stored before it fails. */
const writes = [
  { method: 'POST', path: '/api/courses' },
  { method: 'DELETE', path: '/api/courses/1' },
  { method: 'DELETE', path: '/api/courses/failing' },
] as const;
type Step = (typeof steps)[number];
const orders = (length: number): Step[][] =>
  length === 0 ? [[]] : orders(length - 1).flatMap((order) => steps.map((step) => order.concat(step)));

/** Takes the steps and says what a visitor was shown that was not so any more, or refused without need. */
async function faultsOf(place: Place, order: readonly Step[]): Promise<string[]> {
  const faults: string[] = [];
  const open: Promise<void>[] = [];
  let acknowledged = 0;
  const look = async () => {
    const wasWorking = !place.isFailing;
    // Whom the API answers sees what a write has stored before it failed, too.
    const known = wasWorking ? place.writes : acknowledged;
    const answer = await get(place);
    const body = await answer.json();
    if (answer.ok && Number(body) < known) faults.push(`${String(body)} writes shown after ${known}`);
    if (!answer.ok && wasWorking) faults.push(`${answer.status} while the API works`);
  };
  let turn = order.length + order.lastIndexOf('write');
  const take: Record<Step, () => Promise<void> | void> = {
    get: look,
    slow: async () => {
      place.isSlow = true;
      place.arrived = Promise.withResolvers();
      const answered = look();
      open.push(answered);
      // A copy may have been the answer, and be renewed behind it.
      const passed = answered.then(() => site.dispatchFetch(`${place.origin}/api/nothing`));
      await Promise.race([passed, place.arrived.promise]);
      place.isSlow = false;
    },
    release: () => place.release(),
    write: async () => {
      const { method, path } = writes[turn++ % writes.length] ?? writes[0];
      const answer = await site.dispatchFetch(place.origin + path, { method });
      await answer.arrayBuffer();
      if (answer.ok) acknowledged = place.writes;
    },
    fail: () => void (place.isFailing = !place.isFailing),
  };
  for (const step of order) await take[step]();
  // Nothing waits any more; what was late is stored while these ask.
  place.release();
  await Promise.all(open);
  for (let n = 0; n < 3; n++) await look();
  return faults;
}

describe.each(Object.entries(controls))('a list that is %s', (name, control) => {
  test(
    `PUB-14 SEC-40 shows every write to whoever asks after it, in each order of ${isFull ? 'four' : 'two'} steps`,
    { timeout: 600_000 },
    async () => {
      // Every day a part of the longer ones besides.
      const some = orders(3).filter((_, n) => n % 7 === 0);
      const taken = isFull ? orders(4) : [...orders(2), ...some];
      const all = taken.flatMap((order) => [order, ['get', ...order] as const]);
      const faults: string[] = [];
      for (let at = 0; at < all.length; at += 32) {
        const some = all.slice(at, at + 32).map(async (order, index) => {
          const found = await faultsOf(newPlace(`${name}-${at + index}`, control), order);
          faults.push(...found.map((fault) => `${order.join(', ')}: ${fault}`));
        });
        await Promise.all(some);
      }
      expect(faults).toEqual([]);
    },
  );
});

test('PUB-14 SEC-40 a copy saves the trip, and a refused write leaves it', async () => {
  const place = newPlace('kept', controls.fresh);
  await untilKept(place);
  const { asked } = place;
  const refused = await site.dispatchFetch(`${place.origin}/api/courses/refused`, { method: 'DELETE' });
  expect(refused.status).toBe(401);
  const answer = await get(place);
  expect(place.asked).toBe(asked);
  expect(answer.headers.get('cache-control')).toBe(controls.fresh);
  expect(Number(answer.headers.get('age'))).toBeLessThan(60);
});

test('EDIT-3 a draft that is stored leaves the copy of what is published, and publishing takes it', async () => {
  const place = newPlace('published', controls.fresh);
  const send = (path: string, method = 'GET') =>
    site.dispatchFetch(`${place.origin}/api/content${path}`, { method });
  const askedBy = async (path: string, method: string) => {
    await send(path, method);
    const { asked } = place;
    await send('/published');
    return place.asked - asked;
  };
  await send('/published');
  await expect.poll(() => askedBy('', 'PUT')).toBe(0);
  expect(await askedBy('/publish', 'POST')).toBe(1);
});

test.each(writes)(
  'PUB-14 SEC-68 an old copy stands in for a failing API, but after $method $path only when that failed too',
  async ({ method, path }) => {
    const place = newPlace(`stands-in${path.replaceAll('/', '-')}`, controls.expired);
    await get(place);
    place.isFailing = true;
    // Stored behind the answer.
    await expect.poll(async () => (await get(place)).status).toBe(200);
    const { ok } = await site.dispatchFetch(place.origin + path, { method });
    expect((await get(place)).status).toBe(ok ? 500 : 200);
    place.isFailing = false;
    expect(await (await get(place)).json()).toBe(1);
  },
);

test('PUB-14 a renewal that began before a write and ends after it does not bring the old list back', async () => {
  const place = newPlace('late', controls.expired);
  place.isSlow = true;
  const early = get(place);
  await place.arrived.promise;
  await site.dispatchFetch(`${place.origin}/api/courses/1`, { method: 'DELETE' });
  place.release();
  expect(await (await early).json()).toBe(0);
  place.isFailing = true;
  // However long the late copy takes to be stored.
  for (let n = 0; n < 20; n++) expect((await get(place)).status).toBe(500);
});
