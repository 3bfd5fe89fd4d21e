import { ACCOUNT_MANAGER, MEMBER } from '#contract/access-levels';
import { errorBodySchema } from '#contract/errors';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  anonymous,
  callerOf,
  expectedStatus,
  guardedRoutes,
  identities,
  registered,
  rowOf,
  send,
  table,
  unsafeRoutes,
  validCall,
} from './route-table.ts';
import { shareOrAll } from '../support/counts.ts';
import { api, migrateDatabase, ORIGIN, standingBridge } from './support.ts';

beforeAll(async () => {
  await migrateDatabase();
  await standingBridge();
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO courses (id, year, semester, subject, subject_en, target, target_etc, target_etc_en)
       VALUES (1, 2026, 1, '가', 'A', 0, '누구나', '')`,
    ),
    env.DB.prepare("INSERT INTO access_log (at, address, action, subject) VALUES (0, '', 'read', 'user')"),
  ]);
  await env.PLANTS_DB.batch([
    env.PLANTS_DB.prepare("INSERT INTO plants (id, name) VALUES (1, 'basil')"),
    env.PLANTS_DB.prepare(
      `INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
       VALUES (1, 0, 0, 512, 0)`,
    ),
  ]);
});

/** Names of all keys in a JSON value, however deep. */
function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).concat(Object.values(value).flatMap(keysIn));
}

/** An answer as a value whose keys say what it tells: a file of CSV tells what its columns are called. */
function bodyOf(type: string, text: string): unknown {
  if (type.startsWith('image/')) return { image: text };
  if (type.startsWith('text/csv')) {
    const [columns = ''] = text.split('\r\n');
    return Object.fromEntries(columns.split(',').map((column) => [column, '']));
  }
  return text === '' ? null : JSON.parse(text);
}

/** What must be in no answer: whom the provider knows under which name, and what opens a session. */
async function secrets(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    'SELECT sub AS secret FROM users UNION SELECT token_hash FROM sessions',
  ).all<{ secret: string }>();
  return results.map(({ secret }) => secret);
}

test('API-2 SEC-1 the table has one row for each route that the worker registers, and no other', () => {
  expect(registered.length).toBeGreaterThan(15);
  expect(Object.keys(table).sort()).toEqual(registered.toSorted());
});

const cells = registered.flatMap((route) => Object.keys(identities).map((is) => [route, is] as const));

test.each(cells)(
  'API-2 SEC-1 SEC-22 %s answers %s as the level says, and only what it may',
  async (route, is) => {
    const caller = (await identities[is]?.()) ?? anonymous;
    const answer = await send(await validCall(route, caller));
    expect(answer.status).toBe(expectedStatus(route, caller));
    const text = await answer.text();
    expect((await secrets()).filter((secret) => text.includes(secret))).toEqual([]);
    const body = bodyOf(answer.headers.get('content-type') ?? '', text);
    const refusals: Record<number, string> = { 401: 'not_logged_in', 403: 'forbidden' };
    expect(errorBodySchema.safeParse(body).data?.error.code).toBe(refusals[answer.status]);
    const found = answer.ok ? keysIn(body) : [];
    const allowed = rowOf(route).keys?.(caller.level) ?? [];
    expect(found.filter((key) => !allowed.includes(key))).toEqual([]);
    // An answer that holds nothing would show nothing.
    expect(found.length > 0).toBe(answer.ok && allowed.length > 0);
  },
);

describe('another way to the same door', () => {
  const encoded = (path: string) =>
    path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  const spellings: Record<string, (path: string) => string> = {
    'with a slash at its end': (path) => `${path}/`,
    'with two slashes': (path) => path.replace(/\/(?=[^/]*$)/, '//'),
    'in upper case': (path) => path.toUpperCase(),
    'with an encoded letter': encoded,
    'with an encoded slash': (path) => `${path}%2f`,
    'with a parameter of the segment': (path) => `${path};x=1`,
    'with a dot': (path) => `${path}.`,
    'with a file ending': (path) => `${path}.json`,
  };

  // The router answers for all of them alike; each has its turn within three days.
  const inTurn = shareOrAll(Math.ceil(registered.length / 3), registered);

  test.each(inTurn)('SEC-1 no other spelling and no other method opens %s', async (route) => {
    for (const caller of [anonymous, await callerOf(1)]) {
      const call = await validCall(route, caller);
      // POST /api/students/ is a route of its own, and a dot after its slash is none at all.
      const addressOf = (path: string) => new URL(`/api${path}`, ORIGIN).pathname;
      const others = Object.entries(spellings).filter(
        ([, spell]) => !registered.includes(`${call.method} ${addressOf(spell(call.path))}`),
      );
      const answers = others.map(async ([how, spell]) => {
        const path = spell(call.path);
        const answer = await send({ ...call, path });
        // What another route takes for the number of something is refused as none: `preview.` is no student.
        const isNumber = registered.some((other) => matches(other, call.method, path));
        return { how, status: isNumber && answer.status === 400 ? 404 : answer.status };
      });
      for (const method of ['HEAD', 'OPTIONS', 'PATCH', 'GET', 'POST', 'PUT', 'DELETE']) {
        if (registered.some((other) => matches(other, method, call.path))) continue;
        // A handshake is always a GET, so that it would say nothing about the method.
        const { body: _, form: __, headers: ___, ...bodiless } = call;
        answers.push(
          send({ ...bodiless, headers: {}, method }).then(({ status }) => ({ how: method, status })),
        );
      }
      // A term's name is part of the path: another name is refused as invalid.
      const refusals = new Set([401, 403, 404, 405, ...(route.endsWith('/:semester') ? [400] : [])]);
      const opened = (await Promise.all(answers)).filter(({ status }) => !refusals.has(status));
      expect(opened, caller.is).toEqual([]);
    }
  });

  test('SEC-1 neither a header nor a query turns a method into another', async () => {
    const { cookie, id } = await callerOf(1);
    const headers = { cookie, 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' };
    expect((await api(`/users/${id}?_method=DELETE`, { method: 'POST', headers })).status).toBe(404);
    expect((await api('/login/status', { method: 'POST', headers: { cookie } })).status).toBe(200);
  });

  test('SEC-8 GET /api/logout logs nobody out', async () => {
    const { cookie } = await callerOf(10);
    expect([404, 405]).toContain((await api('/logout', { headers: { cookie } })).status);
    expect((await api('/login/status', { method: 'POST', headers: { cookie } })).status).toBe(200);
  });

  function matches(route: string, method: string, path: string): boolean {
    const [itsMethod = '', template = ''] = route.split(' ');
    const pattern = new RegExp(`^${template.replaceAll(/:\w+/g, '[^/]+')}$`);
    return method === itsMethod && pattern.test(`/api${path}`);
  }
});

test.each(guardedRoutes)('SEC-13 the value of the cookie in a header opens nothing: %s', async (route) => {
  const caller = await callerOf(1);
  const { headers, ...call } = await validCall(route, caller);
  const { cookie: _, ...others } = headers;
  const value = caller.cookie.split('=')[1] ?? '';
  for (const authorization of [`Bearer ${value}`, value, `Bearer ${caller.cookie}`]) {
    expect((await send({ ...call, headers: { ...others, authorization } })).status).toBe(401);
  }
});

test.each(unsafeRoutes.filter((route) => guardedRoutes.includes(route)))(
  'SEC-1 a bad body does not hide who may not: %s',
  async (route) => {
    for (const caller of [anonymous, await callerOf(10)]) {
      const { headers, ...call } = await validCall(route, caller);
      if (expectedStatus(route, caller) === 200) continue;
      for (const [type, body] of [
        ['application/json', '{'],
        ['text/plain', 'x'],
        ['application/json', ' '.repeat(70_000)],
      ] as const) {
        const answer = await send({ ...call, body, headers: { ...headers, 'content-type': type } });
        expect(answer.status).toBe(expectedStatus(route, caller));
      }
    }
  },
);

test.each(registered.filter((route) => route.includes(':id')))(
  'SEC-23 who may not is not told whether it exists: %s',
  async (route) => {
    const stranger = await callerOf(1);
    const { path: existing } = await validCall(route, stranger);
    const unknown = existing.replace(/\d+/, '999999999');
    const tooWeak = rowOf(route).level === ACCOUNT_MANAGER ? MEMBER : ACCOUNT_MANAGER;
    for (const caller of [anonymous, await callerOf(tooWeak), await callerOf(10)]) {
      const call = await validCall(route, caller);
      const [one, other] = await Promise.all([existing, unknown].map((path) => send({ ...call, path })));
      expect(one?.status).toBe(other?.status);
      expect(one?.ok).toBe(false);
      expect(await one?.text()).toBe(await other?.text());
    }
  },
);
