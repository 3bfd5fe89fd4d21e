import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import worker from '../../worker/src/app.ts';
import { comeBack, travel } from './journey.ts';
import { api, migrateDatabase, ORIGIN, sessionCookie } from './support.ts';

beforeAll(migrateDatabase);

test('AUTH-4 the redirect flow carries state, PKCE and a nonce and ends in a session', async () => {
  const { cookie, authorize, callback } = await travel('traveller@lab.test');
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(authorize.searchParams.get(name)).toBeTruthy();
  expect(authorize.searchParams.get('code_challenge_method')).toBe('S256');
  const answer = await comeBack(callback, cookie);
  expect(answer.headers.get('location')).toBe('/login?redirected=1');
  const status = await api('/login/status', {
    method: 'POST',
    headers: { cookie: sessionCookie(answer) ?? '' },
  });
  expect(await status.json()).toMatchObject({ email: 'traveller@lab.test' });
});

test('AUTH-4 a code works once', async () => {
  const { cookie, callback } = await travel('twice@lab.test');
  await comeBack(callback, cookie);
  const again = await comeBack(callback, cookie);
  expect(again.headers.get('location')).toBe('/login?failed=401');
  expect(sessionCookie(again)).toBeUndefined();
});

test('AUTH-13 tabs that leave for the provider one after the other all end signed in', async () => {
  const tabs = [await travel('tabs@lab.test'), await travel('tabs@lab.test'), await travel('tabs@lab.test')];
  const jar = tabs.map(({ cookie }) => cookie).join('; ');
  for (const { callback } of tabs) {
    const answer = await comeBack(callback, jar);
    expect(answer.headers.get('location')).toBe('/login?redirected=1');
  }
});

test('AUTH-4 a callback without its cookie or with another state signs nobody in', async () => {
  const { cookie, callback } = await travel('mixed@lab.test');
  const otherState = new URL(callback);
  otherState.searchParams.set('state', 'x');
  for (const answer of [await comeBack(callback, ''), await comeBack(otherState, cookie)]) {
    expect(answer.headers.get('location')).toBe('/login?failed=401');
    expect(sessionCookie(answer)).toBeUndefined();
  }
});

test('SEC-11 a cookie under the secret before is accepted while both are held, and not after', async () => {
  const withSecrets = async (secrets: string) => {
    const { cookie, callback } = await travel(`rotates-${secrets.length}@lab.test`);
    const request = new Request(`${ORIGIN}/api/login/callback${callback.search}`, {
      headers: { cookie },
      redirect: 'manual',
    });
    const answer = await worker.fetch(request, { ...env, COOKIE_SECRETS: secrets }, createExecutionContext());
    return answer.headers.get('location');
  };
  expect(await withSecrets(`a-newer-secret-that-is-for-tests-only,${env.COOKIE_SECRETS}`)).toBe(
    '/login?redirected=1',
  );
  expect(await withSecrets('a-newer-secret-that-is-for-tests-only')).toBe('/login?failed=401');
});

test('SEC-11 a cookie under a forgotten secret starts over instead of failing', async () => {
  const { callback, cookie } = await travel('rotated@lab.test');
  const [name] = cookie.split('=');
  const answer = await comeBack(callback, `${name}=eyJhbGciOiJkaXIifQ..broken.broken.broken`);
  expect(answer.status).toBe(302);
  expect(answer.headers.get('location')).toBe('/login?failed=401');
});

test('AUTH-4 the login page is told the provider by configuration, Google by default', async () => {
  const scriptOf = async (provider: string) => {
    const request = new Request(`${ORIGIN}/api/login/provider`);
    const variables = { ...env, IDENTITY_PROVIDER: provider };
    return await (await worker.fetch(request, variables, createExecutionContext())).json();
  };
  const clientId = env.GOOGLE_CLIENT_ID;
  expect(await scriptOf('')).toEqual({ clientId, scriptUrl: 'https://accounts.google.com/gsi/client' });
  expect(await scriptOf(`${ORIGIN}/dev/identity`)).toEqual({ clientId, scriptUrl: '/dev/identity/client' });
});
