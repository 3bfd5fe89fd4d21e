import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { errorBodySchema } from '#contract/errors';
import worker from '../../worker/src/app.ts';
import { expectSafe } from '../support/safe-headers.ts';
import { comeBack, travel } from './journey.ts';
import { api, count, credential, login, migrateDatabase, ORIGIN } from './support.ts';

/** Sign-ins a minute that wrangler.toml allows one address. */
const LIMIT = 60;
/** So many at once are over the limit even when a minute ends among them. */
const TOO_MANY = 2 * LIMIT + 1;

let used = '';
beforeAll(async () => {
  await migrateDatabase();
  used = await credential('busy@lab.test');
});

/**
 * Many sign-ins at once; `rebuiltFileHeaders` says from where the nth comes. What was counted is answered by 200, or by 401 where
 * its token was used before.
 */
async function signIns(
  headersOf: (n: number) => Record<string, string>,
  tokenOf: () => string | Promise<string> = () => used,
) {
  const answers = await Promise.all(
    Array.from({ length: TOO_MANY }, async (_, n) => login(await tokenOf(), headersOf(n))),
  );
  return {
    taken: answers.filter(({ status }) => status === 200 || status === 401),
    refused: answers.filter(({ status }) => status === 429),
  };
}

describe('signing in', () => {
  test('SEC-41 SEC-39 more often than the rate is 429 in JSON, says when to come back and opens no session', async () => {
    const before = await count('sessions');
    const address = { 'cf-connecting-ip': '192.0.2.1' };
    const { taken, refused } = await signIns(
      () => address,
      () => credential('busy@lab.test'),
    );
    expect(taken.length).toBeGreaterThanOrEqual(LIMIT);
    expect(taken.length + refused.length).toBe(TOO_MANY);
    expect(refused.length).toBeGreaterThan(0);
    expect(await count('sessions')).toBe(before + taken.length);
    for (const answer of refused) {
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expectSafe(answer);
      expect(errorBodySchema.parse(await answer.json()).error.code).toBe('too_many_requests');
    }
  });

  test('SEC-41 from another address goes on meanwhile', async () => {
    const { refused } = await signIns(() => ({ 'cf-connecting-ip': '192.0.2.2' }));
    expect(refused.length).toBeGreaterThan(0);
    expect((await login(await credential('busy@lab.test'), { 'cf-connecting-ip': '192.0.2.3' })).status).toBe(
      200,
    );
  });

  test('SEC-71 from all the addresses of one IPv6 network is counted as from one', async () => {
    const { refused } = await signIns((n) => ({
      'cf-connecting-ip': `2001:db8:0:1::${(n + 1).toString(16)}`,
    }));
    expect(refused.length).toBeGreaterThan(0);
    const from = async (address: string) => (await login(used, { 'cf-connecting-ip': address })).status;
    expect(await from('2001:db8:0:1:ffff:ffff:ffff:ffff')).toBe(429);
    expect(await from('2001:DB8::1:a:b:c:d')).toBe(429);
    for (const other of ['2001:db8:0:2::1', '2001:db8::1', '::1', '::ffff:192.0.2.9', '192.0.2.9'])
      expect(await from(other), other).toBe(401);
  });

  test('SEC-41 from one address is not many addresses, whatever its headers say', async () => {
    const { refused } = await signIns((n) => ({
      'cf-connecting-ip': '192.0.2.4',
      'x-forwarded-for': `198.51.100.${n}`,
      'x-real-ip': `198.51.100.${n}`,
      'true-client-ip': `198.51.100.${n}`,
      forwarded: `for=198.51.100.${n}`,
    }));
    expect(refused.length).toBeGreaterThan(0);
  });

  test('SEC-41 from many addresses is not one, whatever their headers say', async () => {
    const { refused } = await signIns((n) => ({
      'cf-connecting-ip': `203.0.113.${n}`,
      'x-forwarded-for': '192.0.2.5',
    }));
    expect(refused).toEqual([]);
  });

  test('SEC-41 by redirect counts as well', async () => {
    const { cookie, callback } = await travel('counted@lab.test');
    callback.searchParams.set('code', 'x');
    const address = { 'cf-connecting-ip': '192.0.2.6' };
    const visits = Array.from({ length: TOO_MANY }, () => comeBack(callback, cookie, address));
    const places = (await Promise.all(visits)).map((answer) => answer.headers.get('location'));
    expect(new Set(places)).toEqual(new Set(['/login?failed=401', '/login?failed=429']));
  });

  test('SEC-50 is not used up by what foreign pages make a browser ask, and the provider hears nothing of it', async () => {
    const { cookie, callback } = await travel('visitor@lab.test');
    const { code = '', state = '' } = Object.fromEntries(callback.searchParams);
    const address = { 'cf-connecting-ip': '192.0.2.8' };
    const foreign: [query: string, cookie: string][] = [
      [`?code=${code}&state=${state}`, ''],
      [`?code=${code}&state=${state}`, `${cookie.split('=')[0]}=eyJhbGciOiJkaXIifQ..broken.broken.broken`],
      [`?code=${code}&state=x`, cookie],
      [`?state=${state}`, cookie],
      ['', cookie],
    ];
    for (const [query, held] of foreign) {
      const answers = Array.from({ length: TOO_MANY }, async () => {
        const headers = { cookie: held, ...address };
        const request = new Request(`${ORIGIN}/api/login/callback${query}`, { headers, redirect: 'manual' });
        // Whoever asks the provider is told that it does not answer.
        const variables = { ...env, IDENTITY_PROVIDER: 'http://nobody.test' };
        return await worker.fetch(request, variables, createExecutionContext());
      });
      for (const answer of await Promise.all(answers)) {
        expect(answer.headers.get('location')).toBe('/login?failed=401');
        // The journey of somebody who is on the way goes on.
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
    }
    const answer = await comeBack(callback, cookie, address);
    expect(answer.headers.get('location')).toBe('/login?redirected=1');
    expect((await login(await credential('visitor@lab.test'), address)).status).toBe(200);
  });

  test('SEC-41 nothing else has a rate', async () => {
    const headers = { 'cf-connecting-ip': '192.0.2.7' };
    const asked = Array.from({ length: TOO_MANY }, () => api('/login/status', { method: 'POST', headers }));
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([401]));
  });
});
