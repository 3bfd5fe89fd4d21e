import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import worker from '../../worker/src/app.ts';
import { contents, credential, login, migrateDatabase, ORIGIN } from './support.ts';

beforeAll(migrateDatabase);

/** Signs somebody new in with these claims and returns what is stored of them. */
async function stored(claims: Record<string, unknown>) {
  const sub = crypto.randomUUID();
  const answer = await login(await credential(`${sub}@lab.test`, { sub, ...claims }));
  expect(answer.status).toBe(200);
  const answered = await answer.json();
  const user = await env.DB.prepare('SELECT email, name, secure_level FROM users WHERE sub = ?')
    .bind(sub)
    .first<{ email: string; name: string; secure_level: number }>();
  expect(answered).toMatchObject({ email: user?.email, name: user?.name, secureLevel: user?.secure_level });
  if (!user) throw new Error('nobody was stored');
  return user;
}

describe('the name in a token', () => {
  test.each([
    ['turned round', 'nimda\u202e 나린솔', 'nimda 나린솔'],
    ['of isolates and marks', '\u2066나\u200e린\u2069솔\u061c', '나린솔'],
    ['of lines', ' 나린솔\r\n\tadmin@lab.test\u2028\u0085', '나린솔 admin@lab.test'],
    ['of controls', '나\u0000린\u001b[31m솔\u009b', '나 린 [31m솔'],
    ['of what is not seen', '나\u200b린\ufeff\u00ad솔', '나린솔'],
    ['of an emoji that is joined', '나린솔 👩\u200d🔬', '나린솔 👩\u200d🔬'],
    ['of half a character', '나\ud800린솔', '나\ufffd린솔'],
  ])('SEC-52 %s is stored as it can be read', async (_, name, expected) => {
    expect((await stored({ name })).name).toBe(expected);
  });

  test('SEC-52 is cut to 100 characters, none of them in half', async () => {
    expect((await stored({ name: '가'.repeat(1500) })).name).toBe('가'.repeat(100));
    expect((await stored({ name: `${'가'.repeat(99)}👩` })).name).toBe('가'.repeat(99));
    expect((await stored({ name: `${'가'.repeat(99)} 나` })).name).toBe('가'.repeat(99));
  });

  test.each([['\u202e\u200b \u200d'], [''], [['나린솔']], [null]])(
    'SEC-52 that shows nothing (%j) gives way to the email, which is cut as well',
    async (name) => {
      const email = `${'x'.repeat(150)}@lab.test`;
      expect(await stored({ name, email })).toMatchObject({ email, name: 'x'.repeat(100) });
    },
  );

  test('SEC-52 is cleaned at each sign-in', async () => {
    await login(await credential('renamed@lab.test'));
    await login(await credential('renamed@lab.test', { name: '나린솔\u202e' }));
    const { users } = await contents();
    expect(users).toContainEqual(expect.objectContaining({ email: 'renamed@lab.test', name: '나린솔' }));
  });
});

describe('the email in a token', () => {
  test('SEC-52 of 254 characters is taken', async () => {
    const email = `${'x'.repeat(254 - '@lab.test'.length)}@lab.test`;
    expect((await stored({ email })).email).toBe(email);
  });

  test.each([
    ['of 255 characters', `${'x'.repeat(255 - '@lab.test'.length)}@lab.test`],
    ['turned round', '\u202eadmin@lab.test'],
    ['with what is not seen', 'ad\u200bmin@lab.test'],
    ['of two lines', 'admin@lab.test\nx@lab.test'],
    ['with an escape', '\u001b[2Jadmin@lab.test'],
    ['of half a character', 'admin\udc00@lab.test'],
    ['with a Kelvin sign for its k', '\u212aim@lab.test'],
    ['in wide letters', 'ｋim@lab.test'],
  ])('SEC-52 %s is refused, and nothing is stored', async (_, email) => {
    const before = await contents();
    const answer = await login(await credential('x@lab.test', { email }));
    expect(answer.status).toBe(401);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await contents()).toEqual(before);
  });
});

describe('the level of a newcomer', () => {
  const admin = (claims: Record<string, unknown>) => ({ email: 'admin@lab.test', ...claims });
  const university = (claims: Record<string, unknown>) => ({ email: 'a@hanbit.example', ...claims });

  test.each([
    ['says nothing of it', { hd: null }],
    ['says another', { hd: 'evil.example' }],
    ['says a part of it', { hd: 'example' }],
    ['says a domain above', { hd: 'mail.hanbit.example' }],
    ['says it in a list', { hd: ['lab.test', 'hanbit.example'] }],
    ['says nothing but a word', { hd: true }],
  ])('SEC-53 is that of a stranger where the provider %s', async (_, claims) => {
    expect((await stored(admin(claims))).secure_level).toBe(10);
    expect((await stored(university(claims))).secure_level).toBe(10);
  });

  test('SEC-53 is what the lists say where the provider says that the domain is its own', async () => {
    expect((await stored(university({ hd: 'hanbit.example' }))).secure_level).toBe(8);
    expect((await stored(university({ hd: 'HANBIT.example', email: 'B@Hanbit.Example' }))).secure_level).toBe(
      8,
    );
    // Who came without its word has not used the address up.
    expect((await stored(admin({ hd: 'lab.test' }))).secure_level).toBe(1);
    expect((await stored(admin({ hd: 'lab.test' }))).secure_level).toBe(10);
  });
});

test('SEC-53 an address at gmail.com is the provider’s own, and needs no more of its word', async () => {
  const token = await credential('boss@gmail.com', { hd: null });
  const request = new Request(`${ORIGIN}/api/login`, { method: 'POST', headers: { authorization: token } });
  const variables = { ...env, ADMIN_EMAILS: 'boss@gmail.com' };
  const answer = await worker.fetch(request, variables, createExecutionContext());
  expect(await answer.json()).toMatchObject({ email: 'boss@gmail.com', secureLevel: 1 });
});
