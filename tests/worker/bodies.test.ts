import { exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  callerOf,
  expectedStatus,
  rowOf,
  send,
  unsafeRoutes,
  validCall,
  type Caller,
} from './route-table.ts';
import { malformedBodies } from './client.ts';
import { api, contents, credential, login, migrateDatabase, NAME, ORIGIN, sessionCookie } from './support.ts';

const DEFAULT_LIMIT = 64 * 1024;

let admin: Caller;
beforeAll(async () => {
  await migrateDatabase();
  admin = await callerOf(1);
});

describe('how large a body may be', () => {
  const withBody = unsafeRoutes.filter(
    (route) =>
      /^(POST|PUT) /.test(route) &&
      !/login$|nonce$|status$|logout$|upload$|receipts$|content\/pictures$/.test(route),
  );

  async function sizedCall(route: string, bytes: number) {
    const { body = '', ...call } = await validCall(route, admin);
    const padded = new Uint8Array(bytes).fill(0x20);
    padded.set(new TextEncoder().encode(body));
    return { ...call, body: padded };
  }
  async function statusOf(call: Awaited<ReturnType<typeof sizedCall>>, length?: string): Promise<number> {
    const { path, query = '', headers, ...rest } = call;
    const told = length === undefined ? headers : { ...headers, 'content-length': length };
    return (await api(path + query, { ...rest, headers: told })).status;
  }

  test('there are routes that take one', () => {
    expect(withBody).toContain('PUT /api/users/:id');
  });

  test.each(withBody)('SEC-25 up to its limit it is taken, above it is 413: %s', async (route) => {
    const limit = rowOf(route).bodyLimit ?? DEFAULT_LIMIT;
    const fine = expectedStatus(route, admin);
    expect(await statusOf(await sizedCall(route, limit - 1))).toBe(fine);
    expect(await statusOf(await sizedCall(route, limit))).toBe(fine);
    const above = await sizedCall(route, limit + 1);
    const before = await contents();
    for (const length of [undefined, '10', '0', '-1', 'x', String(limit), String(2 ** 40)]) {
      expect(await statusOf(above, length), length).toBe(413);
    }
    expect(await contents()).toEqual(before);
  });

  // The others need none.
  const needsBody = withBody.filter((route) => !/\/(publish|restore|test|bin\/:id)$/.test(route));
  test.each(needsBody)('SEC-24 what is no such body is 400 or 415 and changes nothing: %s', async (route) => {
    const { body: _, path, query = '', headers, ...call } = await validCall(route, admin);
    const before = await contents();
    for (const [name, [type, body]] of Object.entries(malformedBodies)) {
      const answer = await api(path + query, {
        ...call,
        headers: { ...headers, 'content-type': type },
        body,
      });
      expect([400, 415], name).toContain(answer.status);
    }
    expect(await contents()).toEqual(before);
  });

  test.each(withBody)('SEC-30 keys that reach for prototypes pollute nothing: %s', async (route) => {
    const { body = '', path, query = '', ...call } = await validCall(route, admin);
    const keys = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},';
    const answer = await api(path + query, { ...call, body: body.replaceAll(/\{(?=")/g, keys) });
    expect(answer.status).toBe(expectedStatus(route, admin));
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test.each(withBody)('SEC-25 one without a length is read no further than its limit: %s', async (route) => {
    const limit = rowOf(route).bodyLimit ?? DEFAULT_LIMIT;
    const { path, method, headers } = await validCall(route, admin);
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 64 * 1024;
        controller.enqueue(new Uint8Array(64 * 1024).fill(0x20));
      },
    });
    const request = new Request(`${ORIGIN}/api${path}`, { method, headers, body: endless });
    expect((await exports.default.fetch(request)).status).toBe(413);
    expect(sent).toBeLessThan(limit + 1024 * 1024);
  });
});

describe('what a user sends of themselves', () => {
  const profileOf = ({ email }: Caller) => ({ name: NAME, email, univId: '20219001' });
  const put = (caller: Caller, id: number | string, body: unknown) =>
    send({
      method: 'PUT',
      path: `/login/${id}`,
      headers: { cookie: caller.cookie, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const users = async () => (await contents())['users'];

  test('SEC-18 changes nobody else, whatever id it names', async () => {
    const caller = await callerOf(10);
    const before = await users();
    for (const id of [
      admin.id,
      999_999_999,
      0,
      -1,
      'me',
      '1e3',
      '0x1',
      `${caller.id}.0`,
      ` ${caller.id}`,
      '1;2',
    ]) {
      expect([403, 404]).toContain((await put(caller, id, profileOf(caller))).status);
    }
    expect(await users()).toEqual(before);
  });

  test.each<[string, object | string]>([
    ['secureLevel', { secureLevel: 1 }],
    ['secure_level', { secure_level: 1 }],
    ['id', { id: 1 }],
    ['sub', { sub: 'somebody' }],
    ['role', { role: 'Admin' }],
    ['univIdVerifiedAt', { univIdVerifiedAt: 1, univ_id_verified_at: 1, univ_id_verified: true }],
    ['constructor', { constructor: { prototype: { secureLevel: 1 } } }],
    ['__proto__', '"__proto__":{"secureLevel":1,"polluted":1}'],
    ['a second email', '"email":"admin@lab.test"'],
  ])('SEC-19 gives no right that it did not have: %s', async (_, more) => {
    const caller = await callerOf(10);
    const fields = typeof more === 'string' ? more : JSON.stringify(more).slice(1, -1);
    const text = `${JSON.stringify(profileOf(caller)).slice(0, -1)},${fields}}`;
    const [mine] = ((await users()) ?? []).slice(-1);
    const answer = await put(caller, caller.id, text);
    expect([200, 400]).toContain(answer.status);
    expect((await users())?.at(-1)).toEqual({ ...Object(mine), univ_id: answer.ok ? '20219001' : null });
    expect('polluted' in {}).toBe(false);
    await api(`/users/${caller.id}`, { method: 'DELETE', headers: { cookie: admin.cookie } });
  });

  test.each([`'); DROP TABLE users; --`, '%_\\"', '🌱👩‍👩‍👧‍👦', 'مرحبا', '가'.repeat(100), '__proto__'])(
    'SEC-26 a name is kept as it is: %j',
    async (name) => {
      const cookie = sessionCookie(await login(await credential('named@lab.test', { name }))) ?? '';
      const answer = await api('/login/status', { method: 'POST', headers: { cookie } });
      expect(await answer.json()).toMatchObject({ name });
      const listed = await api('/users', { headers: { cookie: admin.cookie } });
      const all = await listed.json<{ name: string; email: string }[]>();
      expect(all.find(({ email }) => email === 'named@lab.test')?.name).toBe(name);
    },
  );
});

test('SEC-12 two cookies of the same name are nobody, in either order, and so are quotes', async () => {
  const { cookie } = await callerOf(1);
  const [name, token] = cookie.split('=');
  for (const presented of [
    `${cookie}; ${name}=${'x'.repeat(43)}`,
    `${name}=${'x'.repeat(43)}; ${cookie}`,
    `${cookie}; ${cookie}`,
    `${name}="${token}"`,
    `${name}=${token}%20`,
    `${name} =${token}`,
  ]) {
    expect((await api('/users', { headers: { cookie: presented } })).status, presented).toBe(401);
  }
  expect((await api('/users', { headers: { cookie: `a=1; ${cookie}; b=2` } })).status).toBe(200);
});
