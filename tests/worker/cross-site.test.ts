import { beforeAll, describe, expect, test } from 'vitest';
import { shareOrAll } from '../support/counts.ts';
import { hostile, hostileOrigins } from './hostile-headers.ts';
import {
  anonymous,
  callerOf,
  expectedStatus,
  registered,
  send,
  unsafeRoutes,
  validCall,
} from './route-table.ts';
import { api, contents, migrateDatabase, ORIGIN, standingBridge } from './support.ts';

beforeAll(async () => {
  await migrateDatabase();
  await standingBridge();
});

const types = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/x-foo',
  undefined,
];

/** One check before all routes refuses; each route has its turn within three days. */
const inTurn = (routes: string[]) => shareOrAll(Math.ceil(routes.length / 3), routes);

const combinations = hostile.flatMap((headers) => types.map((type) => ({ headers, type })));

describe('a write that another site sends with the cookies of an admin', () => {
  test.each(inTurn(unsafeRoutes))(
    'SEC-16 %s is refused in every content type and stores nothing',
    async (route) => {
      const admin = await callerOf(1);
      const call = await validCall(route, admin);
      const before = await contents();
      const { 'content-type': _, ...headers } = call.headers;
      const answers = combinations.map(async ({ headers: foreign, type }) => {
        const answer = await send({
          ...call,
          headers: { ...headers, ...foreign, ...(type !== undefined && { 'content-type': type }) },
        });
        const { error } = await answer.json<{ error?: { code?: string } }>();
        const allowed = answer.headers.get('access-control-allow-origin');
        return { foreign, type, status: answer.status, code: error?.code, allowed };
      });
      expect(await Promise.all(answers)).toEqual(
        combinations.map(({ headers: foreign, type }) => ({
          foreign,
          type,
          status: 403,
          code: 'forbidden',
          allowed: null,
        })),
      );
      expect(await contents()).toEqual(before);
      // The same request from here is not refused: nothing else was wrong with it.
      const own = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' };
      const answer = await send({ ...call, headers: { ...call.headers, ...own } });
      expect(answer.status).toBe(expectedStatus(route, admin));
    },
  );

  test('SEC-16 of somebody without a session it is refused alike', async () => {
    for (const route of unsafeRoutes) {
      const { headers, ...call } = await validCall(route, anonymous);
      const answer = await send({ ...call, headers: { ...headers, origin: 'https://evil.test' } });
      expect(answer.status).toBe(403);
    }
  });

  test('SEC-16 to an address that does not exist it is 404', async () => {
    const headers = { origin: 'https://evil.test' };
    expect((await api('/nowhere', { method: 'POST', headers })).status).toBe(404);
  });
});

describe('a write that no other site sends', () => {
  test.each<Record<string, string>>([
    { origin: ORIGIN },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    {},
  ])('SEC-16 passes with the headers %j', async (own) => {
    for (const route of unsafeRoutes) {
      const caller = await callerOf(1);
      const { headers, ...call } = await validCall(route, caller);
      const answer = await send({ ...call, headers: { ...headers, ...own } });
      expect(answer.status, route).toBe(expectedStatus(route, caller));
    }
  });
});

describe('an answer', () => {
  const sharing = (answer: Response) =>
    [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));

  test.each(inTurn(registered))('SEC-17 is for no other origin to read: %s', async (route) => {
    const { headers, ...call } = await validCall(route, await callerOf(1));
    for (const origin of [...hostileOrigins, ORIGIN]) {
      expect(sharing(await send({ ...call, headers: { ...headers, origin } }))).toEqual([]);
    }
  });

  test.each(inTurn(registered))('SEC-17 to a preflight allows nothing: %s', async (route) => {
    const { method, path } = await validCall(route, anonymous);
    const headers = {
      origin: 'https://evil.test',
      'access-control-request-method': method,
      'access-control-request-headers': 'content-type, authorization',
    };
    const answer = await api(path, { method: 'OPTIONS', headers });
    expect([404, 405]).toContain(answer.status);
    expect(sharing(answer)).toEqual([]);
  });
});
