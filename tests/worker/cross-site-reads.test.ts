import { API_MARKER_HEADER } from '#contract/log-line';
import { beforeAll, describe, expect, test } from 'vitest';
import { hostile } from './hostile-headers.ts';
import { callerOf, registered, rowOf, send, validCall } from './route-table.ts';
import { api, contents, migrateDatabase, ORIGIN, standingBridge } from './support.ts';

beforeAll(async () => {
  await migrateDatabase();
  await standingBridge();
});

const WAY_BACK = 'GET /api/login/callback';
/** What everybody's page may read. Another route that asks for no session has to be put down here, or among the own. */
const forEverybody = ['GET /api/health', 'GET /api/people', 'GET /api/courses', 'GET /api/plants/public'];
/** Open, but asked by pages of our own alone. */
const own = [
  'GET /api/login/provider',
  'GET /api/login/redirect',
  'GET /api/content/pictures/:name',
  'GET /api/content/published',
];

const reads = registered.filter((route) => route.startsWith('GET ') && route !== WAY_BACK);

test('SEC-57 of each read it is known whether other sites may make it', () => {
  const open = reads.filter((route) => rowOf(route).level === Number.POSITIVE_INFINITY);
  expect(open.sort()).toEqual([...forEverybody, ...own].sort());
});

describe('a read that another site sends with the cookies of an admin', () => {
  test.each(reads.filter((route) => !forEverybody.includes(route)))(
    'SEC-57 %s is refused, and the log has no row of it',
    async (route) => {
      const admin = await callerOf(1);
      const call = await validCall(route, admin);
      const before = await contents();
      for (const foreign of hostile) {
        const answer = await send({ ...call, headers: { ...call.headers, ...foreign } });
        expect(answer.status, JSON.stringify(foreign)).toBe(403);
        expect(await answer.json()).toMatchObject({ error: { code: 'forbidden' } });
      }
      expect(await contents()).toEqual(before);
      // The same read from here, typed in, or of a program: nothing else was wrong with it.
      for (const from of [{ 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }, {}]) {
        const answer = await send({ ...call, headers: { ...call.headers, ...from } });
        expect(answer.status).toBe(rowOf(route).status ?? 200);
      }
    },
  );

  test('SEC-57 cannot write its words into the log', async () => {
    const { cookie } = await callerOf(1);
    const before = await contents();
    const words = '/access_log?person=%EB%82%B4%EA%B0%80';
    for (const site of ['cross-site', 'same-site']) {
      const headers = {
        cookie,
        'sec-fetch-site': site,
        'sec-fetch-mode': 'no-cors',
        'sec-fetch-dest': 'image',
      };
      expect((await api(words, { headers })).status).toBe(403);
    }
    expect(await contents()).toEqual(before);
  });
});

describe('what other sites may ask', () => {
  test.each(forEverybody)('SEC-57 %s answers them as it answers everybody', async (route) => {
    const call = await validCall(route, { is: 'anonymous', level: null, id: 1, email: '', cookie: '' });
    const expected = await (await send(call)).text();
    for (const foreign of hostile) {
      const answer = await send({ ...call, headers: { ...call.headers, ...foreign } });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toBe(expected);
    }
  });

  test('SEC-57 the provider sends the window back from its own site, and no page sends a picture or frame', async () => {
    const back = async (headers: Record<string, string>) =>
      (
        await api('/login/callback?code=x&state=x', {
          headers: { 'sec-fetch-site': 'cross-site', ...headers },
        })
      ).status;
    expect(await back({ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' })).toBe(302);
    expect(await back({})).toBe(302);
    for (const place of ['image', 'iframe', 'script', 'empty'])
      expect(await back({ 'sec-fetch-dest': place })).toBe(403);
  });
});

test('SEC-57 WORK-8 every answer says that no other site may use it, and that it is the API’s', async () => {
  const policy = ({ headers }: Response) =>
    headers.get(API_MARKER_HEADER) === '1' && headers.get('cross-origin-resource-policy');
  for (const route of registered)
    expect(policy(await send(await validCall(route, await callerOf(1)))), route).toBe('same-origin');
  const headers = { cookie: (await callerOf(1)).cookie };
  const tag = (await api('/students', { headers })).headers.get('etag') ?? '';
  const answers = [
    await api('/students', { headers: { ...headers, 'if-none-match': tag } }),
    await api('/users'),
    await api('/nowhere'),
    await api('/users', { method: 'HEAD' }),
    await api('/login', { method: 'POST', headers: { origin: 'https://evil.test' } }),
    await api('/login/redirect', { headers: { origin: ORIGIN } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([304, 401, 404, 405, 403, 302]);
  expect(answers.map(policy)).toEqual(answers.map(() => 'same-origin'));
});
