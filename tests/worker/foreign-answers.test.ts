import { API_MARKER_HEADER } from '#contract/log-line';
import { afterAll, expect, test } from 'vitest';
import { ApiError, fetchOrThrow, ForeignAnswer, setSender } from '../../web/src/lib/api-error.ts';
import { unsafeRoutes } from './route-table.ts';

afterAll(() => setSender((request) => fetch(request)));

const page = (status: number, headers = {}) =>
  new Response('<!doctype html><title>Wi-Fi</title>', {
    status,
    headers: { 'content-type': 'text/html; charset=UTF-8', ...headers },
  });

/** What a proxy, firewall, portal or edge answers in place of the API. */
const foreign: [name: string, answer: () => Response, becomes: typeof ForeignAnswer | typeof ApiError][] = [
  ['a portal’s page', () => page(200), ForeignAnswer],
  ['a page behind a header of ours', () => page(200, { [API_MARKER_HEADER]: '1' }), ForeignAnswer],
  ['another program’s JSON', () => Response.json({ ok: true }), ForeignAnswer],
  [
    'an empty body',
    () => new Response('', { headers: { 'content-type': 'application/json' } }),
    ForeignAnswer,
  ],
  ['nothing', () => new Response(null, { status: 204 }), ForeignAnswer],
  ['a created page', () => page(201), ForeignAnswer],
  ['a firewall’s refusal', () => page(403), ForeignAnswer],
  ['a proxy’s sign-in', () => page(401), ForeignAnswer],
  ['an edge without the function', () => page(405), ForeignAnswer],
  ['a conflict of nobody', () => Response.json({ error: { message: 'x' } }, { status: 409 }), ForeignAnswer],
  ['a rate limit', () => page(429, { 'retry-after': '10' }), ForeignAnswer],
  ['an edge that finds no server', () => page(522), ApiError],
  [
    'cut JSON',
    () => new Response('{"error":{"mess', { status: 500, headers: { 'content-type': 'application/json' } }),
    ApiError,
  ],
];

test.each(foreign)('WORK-8 %s is the success of no write', async (_name, answer, becomes) => {
  setSender(async () => answer());
  for (const route of unsafeRoutes) {
    const [method = '', path = ''] = route.split(' ');
    const outcome: unknown = await fetchOrThrow(`https://lab.test${path}`, { method }).catch(
      (error: unknown) => error,
    );
    expect(outcome, route).toBeInstanceOf(becomes);
    expect(outcome, route).toMatchObject({ status: answer().status });
  }
});
