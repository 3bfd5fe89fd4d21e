import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { api, count, credential, login, migrateDatabase, sessionCookie, sessionOf } from './support.ts';

beforeAll(migrateDatabase);

describe('POST /api/login', () => {
  test('AUTH-1 a genuine credential answers with the user and opens a session', async () => {
    const answer = await login(await credential('first@lab.test'));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      id: expect.any(Number),
      email: 'first@lab.test',
      name: '나린솔',
      univId: null,
      secureLevel: 10,
    });
    expect(sessionCookie(answer)).toBeDefined();
  });

  test.each(['Bearer', 'bearer', ''])('SEC-4 the scheme "%s" is understood', async (scheme) => {
    const token = await credential('scheme@lab.test');
    const answer = await api('/login', {
      method: 'POST',
      headers: { authorization: `${scheme} ${token}`.trim() },
    });
    expect(answer.status).toBe(200);
  });

  test('SEC-4 the scheme Basic is refused', async () => {
    const token = await credential('scheme@lab.test');
    const answer = await api('/login', { method: 'POST', headers: { authorization: `Basic ${token}` } });
    expect(answer.status).toBe(401);
  });

  test('a second sign-in is the same user with the newest name', async () => {
    const before = await login(await credential('again@lab.test'));
    const users = await count('users');
    const after = await login(await credential('again@lab.test', { name: '도라온' }));
    expect(await after.json()).toMatchObject({
      id: (await before.json<{ id: number }>()).id,
      name: '도라온',
    });
    expect(await count('users')).toBe(users);
  });

  test('AUTH-2 a token without an email opens no session and says so', async () => {
    const answer = await login(await credential('nobody@lab.test', { email: null, email_verified: null }));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ email: null });
    expect(sessionCookie(answer)).toBeUndefined();
  });

  test('AUTH-10 an address in ADMIN_EMAILS becomes an admin at its first sign-in only', async () => {
    const first = await login(await credential('admin@lab.test'));
    expect(await first.json()).toMatchObject({ secureLevel: 1 });
    await sessionOf('other-admin@lab.test', 1);
    await env.DB.prepare("UPDATE users SET secure_level = 5 WHERE email = 'admin@lab.test'").run();
    const second = await login(await credential('admin@lab.test'));
    expect(await second.json()).toMatchObject({ secureLevel: 5 });
  });

  test('an address of the university becomes level 8, a stranger level 10', async () => {
    const answers = ['a@hanbit.example', 'a@cs.hanbit.example'].map(async (email) =>
      login(await credential(email)),
    );
    const levels = (await Promise.all(answers)).map(
      async (answer) => (await answer.json<{ secureLevel: number }>()).secureLevel,
    );
    expect(await Promise.all(levels)).toEqual([8, 10]);
  });

  test('SEC-7 signing in ends the session that the browser held', async () => {
    const old = await sessionOf('rotates@lab.test');
    const answer = await login(await credential('rotates@lab.test'), { cookie: old });
    const fresh = sessionCookie(answer) ?? '';
    expect(fresh).not.toBe(old);
    expect((await api('/login/status', { method: 'POST', headers: { cookie: old } })).status).toBe(401);
    expect((await api('/login/status', { method: 'POST', headers: { cookie: fresh } })).status).toBe(200);
  });
});

test('SEC-6 the cookie holds 256 random bits and is sent to this site alone, never to its scripts', async () => {
  const answers = await Promise.all([1, 2, 3].map(async () => login(await credential('same@lab.test'))));
  expect(new Set(answers.map(sessionCookie)).size).toBe(3);
  for (const [cookie = ''] of answers.map((answer) => answer.headers.getSetCookie())) {
    expect(cookie.length).toBeLessThan(4096);
    const [, ...attributes] = cookie.split('; ');
    expect(cookie).toMatch(/^__Host-session=[\w-]{43};/);
    expect(attributes.toSorted()).toEqual([
      'HttpOnly',
      'Max-Age=2592000',
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ]);
  }
});

describe('the session', () => {
  test('AUTH-5 status answers with the user, and 401 without a session', async () => {
    const cookie = await sessionOf('status@lab.test');
    const answer = await api('/login/status', { method: 'POST', headers: { cookie } });
    expect(await answer.json()).toMatchObject({ email: 'status@lab.test', secureLevel: 10 });
    expect((await api('/login/status', { method: 'POST' })).status).toBe(401);
  });

  test('AUTH-6 logout ends it on the server, twice without harm', async () => {
    const cookie = await sessionOf('leaves@lab.test');
    const answer = await api('/logout', { method: 'POST', headers: { cookie } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('clear-site-data')).toBe('"cache"');
    expect((await api('/login/status', { method: 'POST', headers: { cookie } })).status).toBe(401);
    expect((await api('/logout', { method: 'POST', headers: { cookie } })).status).toBe(200);
  });

  test('SEC-12 broken cookies are nobody, never an error', async () => {
    const cookie = await sessionOf('broken@lab.test');
    const broken = ['__Host-session=', '__Host-session="x"', `__Host-session=${'x'.repeat(12_000)}`];
    for (let at = 15; at < cookie.length; at += 10) {
      broken.push(`${cookie.slice(0, at)}${cookie[at] === 'A' ? 'B' : 'A'}${cookie.slice(at + 1)}`);
    }
    for (const each of broken) {
      expect((await api('/login/status', { method: 'POST', headers: { cookie: each } })).status).toBe(401);
    }
  });

  test.each([
    ['staff', 1, 2 * 3_600_000],
    ['others', 10, 30 * 86_400_000],
  ])('SEC-10 the session of %s ends by itself when it is not used', async (who, level, idle) => {
    const cookie = await sessionOf(`idle-${who}@lab.test`, level);
    const status = () => api('/login/status', { method: 'POST', headers: { cookie } });
    const opened = Date.now();
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      vi.setSystemTime(opened + idle - 1000);
      expect((await status()).status).toBe(200);
      await env.DB.prepare('UPDATE sessions SET last_used_at = created_at').run();
      vi.setSystemTime(opened + idle + 1000);
      expect((await status()).status).toBe(401);
    } finally {
      vi.useRealTimers();
    }
  });

  test('SEC-10 the session of staff ends twelve hours after it began, however much it is used', async () => {
    const cookie = await sessionOf('busy@lab.test', 1);
    const status = () => api('/login/status', { method: 'POST', headers: { cookie } });
    const opened = Date.now();
    const total = 12 * 3_600_000;
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      for (const [at, expected] of [
        [total - 1000, 200],
        [total + 1000, 401],
      ] as const) {
        vi.setSystemTime(opened + at);
        await env.DB.prepare('UPDATE sessions SET last_used_at = ?').bind(Date.now()).run();
        expect((await status()).status).toBe(expected);
      }
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('PUT /api/login/{id}', () => {
  async function signedIn(email: string) {
    const answer = await login(await credential(email));
    const user = await answer.json<{ id: number; name: string; email: string }>();
    const cookie = sessionCookie(answer) ?? '';
    const put = (id: number | string, body: unknown, type = 'application/json') =>
      api(`/login/${id}`, {
        method: 'PUT',
        headers: { cookie, 'content-type': type },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    return { user, put, profile: { name: user.name, email, univId: '20210001' } };
  }

  test('AUTH-7 the number is saved and comes back', async () => {
    const { user, put, profile } = await signedIn('number@lab.test');
    const answer = await put(user.id, profile);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ id: user.id, univId: '20210001' });
  });

  test('AUTH-8 a number that somebody else holds is refused', async () => {
    const other = await signedIn('holder@lab.test');
    await other.put(other.user.id, { ...other.profile, univId: '202100021' });
    const { user, put, profile } = await signedIn('claimer@lab.test');
    const answer = await put(user.id, { ...profile, univId: '202100021' });
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ error: { message: '이미 등록된 학번/직번입니다' } });
  });

  test.each([
    '2021001',
    '2021000100',
    '19210001',
    '20210001\n',
    ' 20210001',
    '２０２１０００１',
    20210001,
    null,
  ])('SEC-21 the number %j is refused by name', async (univId) => {
    const { user, put, profile } = await signedIn('wrong@lab.test');
    const answer = await put(user.id, { ...profile, univId });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { field: 'univId' } });
  });

  test('AUTH-7 another name or email is refused', async () => {
    const { user, put, profile } = await signedIn('mismatch@lab.test');
    for (const wrong of [{ name: '다른이' }, { email: 'x@lab.test' }]) {
      const answer = await put(user.id, { ...profile, ...wrong });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: { message: '로그인 정보가 일치하지 않습니다' } });
    }
  });
});
