import { API_MARKER_HEADER } from '#contract/log-line';
import { afterAll, expect, test } from 'vitest';
import { ApiError, fetchOrThrow, NotFromApiError, setRequestSender } from '../../web/src/lib/api-error.ts';
import { unsafeRoutes } from './route-table.ts';

afterAll(() => setRequestSender((request) => fetch(request)));

const page = (status: number, headers = {}) =>
  new Response('<!doctype html><title>Wi-Fi</title>', {
    status,
    headers: { 'content-type': 'text/html; charset=UTF-8', ...headers },
  });

/** What a proxy, firewall, portal or edge answers in place of the API. */
const foreign: [name: string, answer: () => Response, becomes: typeof NotFromApiError | typeof ApiError][] = [
  ['a portal’s page', () => page(200), NotFromApiError],
  ['a page behind a header of ours', () => page(200, { [API_MARKER_HEADER]: '1' }), NotFromApiError],
  ['another program’s JSON', () => Response.json({ ok: true }), NotFromApiError],
  [
    'an empty body',
    () => new Response('', { headers: { 'content-type': 'application/json' } }),
    NotFromApiError,
  ],
  ['nothing', () => new Response(null, { status: 204 }), NotFromApiError],
  ['a created page', () => page(201), NotFromApiError],
  ['a firewall’s refusal', () => page(403), NotFromApiError],
  ['a proxy’s sign-in', () => page(401), NotFromApiError],
  ['an edge without the function', () => page(405), NotFromApiError],
  [
    'a conflict of nobody',
    () => Response.json({ error: { message: 'x' } }, { status: 409 }),
    NotFromApiError,
  ],
  ['a rate limit', () => page(429, { 'retry-after': '10' }), NotFromApiError],
  ['an edge that finds no server', () => page(522), ApiError],
  [
    'cut JSON',
    () => new Response('{"error":{"mess', { status: 500, headers: { 'content-type': 'application/json' } }),
    ApiError,
  ],
];

test.each(foreign)('WORK-8 %s is the success of no write', async (_name, answer, becomes) => {
  setRequestSender(async () => answer());
  for (const route of unsafeRoutes) {
    const [method = '', path = ''] = route.split(' ');
    const outcome: unknown = await fetchOrThrow(`https://lab.test${path}`, { method }).catch(
      (error: unknown) => error,
    );
    expect(outcome, route).toBeInstanceOf(becomes);
    expect(outcome, route).toMatchObject({ status: answer().status });
  }
});
