import { env } from 'cloudflare:workers';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { errorBodySchema } from '#contract/errors';
import app from '../../worker/src/app.ts';
import type { Answer } from '../support/network-worker.ts';
import { api, login, migrateDatabase } from './support.ts';

type Key = { kid: string; privateKey: CryptoKey; publicKey: JWK };

let first: Key;
let second: Key;
beforeAll(async () => {
  await migrateDatabase();
  [first, second] = await Promise.all([newKey('first'), newKey('second')]);
});

async function newKey(kid: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  return { kid, privateKey, publicKey: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
}

/** The provider's address, another one in each test, so that the worker knows no key of it yet; and where its keys are. */
let provider = '';
let service = '';
let services = 0;
const { fetch: apiFetch } = app;

beforeEach(() => {
  provider = `http://keys.test/${++services}`;
  service = `${provider}/jwks`;
  const otherKeys = { IDENTITY_PROVIDER: provider };
  vi.spyOn(app, 'fetch').mockImplementation((request, env, ctx) =>
    apiFetch(request, { ...env, ...otherKeys }, ctx),
  );
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

async function order(what: 'answer' | 'count', answer?: Answer): Promise<Response> {
  const body = answer === undefined ? null : JSON.stringify(answer);
  return await fetch(service, { method: 'POST', headers: { 'x-test-order': what }, body });
}
const serve = (...keys: Key[]) =>
  order('answer', { status: 200, body: JSON.stringify({ keys: keys.map(({ publicKey }) => publicKey) }) });
/** How often the worker has asked for the keys. */
const asked = async () => await (await order('count')).json<number>();

async function tokenOf(key: Key, person = 'somebody'): Promise<string> {
  return await new SignJWT({ email: `${person}@lab.test`, email_verified: true, name: '나린솔' })
    .setProtectedHeader({ alg: 'RS256', kid: key.kid, typ: 'JWT' })
    .setIssuer(provider)
    .setAudience(env.GOOGLE_CLIENT_ID ?? '')
    .setSubject(person)
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(key.privateKey);
}

/** A token that names a key that nobody has. */
async function tokenOfNobody(): Promise<string> {
  const header = btoa(JSON.stringify({ alg: 'RS256', kid: crypto.randomUUID(), typ: 'JWT' }));
  return (await tokenOf(first)).replace(/^[^.]*/, header.replaceAll('=', ''));
}

const statusOf = async (token: string | Promise<string>) => (await login(await token)).status;
const many = async (howMany: number, token: () => Promise<string>) =>
  new Set(await Promise.all(Array.from({ length: howMany }, async () => await statusOf(token()))));

describe('a key that is not known', () => {
  test('SEC-3 a new key is fetched once and then accepted; the old one no longer', async () => {
    await serve(first);
    expect(await statusOf(tokenOf(first))).toBe(200);
    await serve(second);
    later(31);
    expect(await statusOf(tokenOf(second))).toBe(200);
    expect(await statusOf(tokenOf(second))).toBe(200);
    expect(await asked()).toBe(2);
    expect(await statusOf(tokenOf(first))).toBe(401);
  });

  test('SEC-3 200 tokens with random key ids ask for the keys at most once in 30 s', async () => {
    await serve(first);
    expect(await statusOf(tokenOf(first))).toBe(200);
    expect(await many(100, tokenOfNobody)).toEqual(new Set([401]));
    later(29);
    expect(await many(100, tokenOfNobody)).toEqual(new Set([401]));
    expect(await asked()).toBe(1);
    later(2);
    expect(await many(100, tokenOfNobody)).toEqual(new Set([401]));
    expect(await statusOf(tokenOfNobody())).toBe(401);
    expect(await asked()).toBe(2);
  });
});

describe('a key service that fails', () => {
  const broken = {
    status: 200,
    body: '{"keys":[{"kty":"RSA","kid":"first","alg":"RS256","n":1,"e":"AQAB"}]}',
  };
  test.each<[string, Answer]>([
    ['500', { status: 500, body: 'x' }],
    ['404', { status: 404, body: 'x' }],
    ['a page', { status: 200, body: '<!doctype html>' }],
    ['JSON without keys', { status: 200, body: '{}' }],
    ['no key at all', { status: 200, body: '{"keys":[]}' }],
    ['a key that is none', broken],
    ['nothing, until the timeout', 'nothing'],
  ])('SEC-3 AUTH-3 it answers %s: signing in is 503, and works as soon as it recovers', async (_, answer) => {
    await order('answer', answer);
    const refused = await login(await tokenOf(first));
    expect(refused.status).toBe(503);
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect(errorBodySchema.parse(await refused.json()).error.code).toBe('unavailable');
    await serve(first);
    later(31);
    expect(await statusOf(tokenOf(first))).toBe(200);
  });

  test('SEC-3 keys that are known go on working, however old; one that is not is 503', async () => {
    await serve(first);
    expect(await statusOf(tokenOf(first))).toBe(200);
    await order('answer', { status: 500, body: '' });
    later(2 * 3600);
    expect(await many(20, () => tokenOf(first))).toEqual(new Set([200]));
    expect(await asked()).toBe(2);
    later(31);
    expect(await statusOf(tokenOf(second))).toBe(503);
    expect(await statusOf(tokenOf(first))).toBe(200);
    expect(await asked()).toBe(3);
  });
});

describe('sign-ins that begin together, before any key is known', () => {
  const together = async () => {
    const tokens = await Promise.all(Array.from({ length: 50 }, (_, n) => tokenOf(first, `person-${n}`)));
    return (await Promise.all(tokens.map((token) => login(token)))).map(({ status }) => status);
  };

  test('SEC-3 fifty are all answered 200 after one fetch', async () => {
    await serve(first);
    expect(await together()).toEqual(Array.from({ length: 50 }, () => 200));
    expect(await asked()).toBe(1);
  });

  test('SEC-3 fifty are all answered 503 when the service fails', async () => {
    await order('answer', { status: 500, body: '' });
    expect(await together()).toEqual(Array.from({ length: 50 }, () => 503));
    expect(await asked()).toBe(1);
  });

  test('SEC-3 one that is given up while its keys are fetched takes none of the others with it', async () => {
    await order('answer', 'nothing');
    const browser = new AbortController();
    const headers = { authorization: await tokenOf(first), 'cf-connecting-ip': 'leaves' };
    const given = api('/login', { method: 'POST', headers, signal: browser.signal });
    await expect.poll(asked).toBe(1);
    browser.abort();
    await expect(given).rejects.toThrow('abort');
    const others = together();
    await serve(first);
    expect(await others).toEqual(Array.from({ length: 50 }, () => 200));
    expect(await asked()).toBe(1);
    expect(await statusOf(tokenOf(first))).toBe(200);
  });
});
