import { env } from 'cloudflare:workers';
import {
  base64url,
  CompactEncrypt,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JWK,
} from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { errorBodySchema } from '#contract/errors';
import { api, contents, credential, IDENTITY, login, migrateDatabase, NAME } from './support.ts';

type Json = Record<string, unknown>;

const ATTACKER = 'http://keys.test/attacker';
const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
const { kid } = env.IDENTITY_KEY;
const { kty = '', n = '', e = '' } = env.IDENTITY_KEY;
const publicKey: JWK = { kty, n, e, kid, alg: 'RS256' };

let attacker: CryptoKey;
let attackerKey: JWK;
beforeAll(async () => {
  await migrateDatabase();
  const pair = await generateKeyPair('RS256', { extractable: true });
  attacker = pair.privateKey;
  attackerKey = { ...(await exportJWK(pair.publicKey)), kid, alg: 'RS256' };
  // Whoever followed a header there would find the attacker's key.
  await order('answer', { status: 200, body: JSON.stringify({ keys: [attackerKey] }) });
});

function order(what: 'answer' | 'count', answer?: unknown): Promise<Response> {
  const body = answer === undefined ? null : JSON.stringify(answer);
  return fetch(ATTACKER, { method: 'POST', headers: { 'x-test-order': what }, body });
}

const seconds = (offset: number) => Math.floor(Date.now() / 1000) + offset;
const genuineHeader = { alg: 'RS256', kid, typ: 'JWT' };
const genuineClaims = () => ({
  iss: IDENTITY,
  aud: env.GOOGLE_CLIENT_ID,
  sub: 'forged',
  email: 'forged@lab.test',
  email_verified: true,
  name: NAME,
  iat: seconds(0),
  exp: seconds(3600),
});

const bytes = (text: string) => new TextEncoder().encode(text);
const encode = (value: unknown) =>
  base64url.encode(typeof value === 'string' ? value : JSON.stringify(value));

type Parts = { header?: unknown; claims?: unknown; key?: CryptoKey; algorithm?: SubtleCryptoSignAlgorithm };

/** A token that is signed for what it says, by the provider's own key unless told otherwise. */
function signed({ header = genuineHeader, claims = genuineClaims(), ...by }: Parts): Promise<string> {
  return signedText(`${encode(header)}.${encode(claims)}`, by);
}

async function signedText(text: string, { key, algorithm = RS256 }: Parts = {}): Promise<string> {
  const signature = await crypto.subtle.sign(algorithm, key ?? (await providerKey()), bytes(text));
  return `${text}.${base64url.encode(new Uint8Array(signature))}`;
}

async function providerKey(algorithm: SubtleCryptoImportKeyAlgorithm = RS256): Promise<CryptoKey> {
  const { alg: _, ...key } = env.IDENTITY_KEY;
  return await crypto.subtle.importKey('jwk', { ...key, kty }, algorithm, false, ['sign']);
}

/** Signed HS256 under what everybody may know of the provider's key. */
async function signedWithSecret(secret: string): Promise<string> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secret), hmac, false, ['sign']);
  return await signed({ header: { ...genuineHeader, alg: 'HS256' }, key, algorithm: hmac });
}

async function publicPem(): Promise<string> {
  const key = await importJWK(publicKey, 'RS256', { extractable: true });
  if (key instanceof Uint8Array) throw new Error('the public key is a secret');
  return await exportSPKI(key);
}

async function withParts(change: (header: string, claims: string, signature: string) => string) {
  const [header = '', claims = '', signature = ''] = (await signed({})).split('.');
  return change(header, claims, signature);
}

const byAttacker = (header: Json) => signed({ header, key: attacker });
const headed = (more: Json) => signed({ header: { ...genuineHeader, ...more } });

const forgeries: [string, () => Promise<string>][] = [
  ['alg none without a signature', () => withParts((_, claims) => `${encode({ alg: 'none' })}.${claims}.`)],
  [
    'alg none with a signature',
    () => withParts((_, claims, s) => `${encode({ alg: 'none' })}.${claims}.${s}`),
  ],
  ['alg nOnE', () => withParts((_, claims) => `${encode({ ...genuineHeader, alg: 'nOnE' })}.${claims}.`)],
  ['no alg', () => withParts((_, claims, s) => `${encode({ kid })}.${claims}.${s}`)],
  ['HS256 under the public key as PEM', async () => signedWithSecret(await publicPem())],
  ['HS256 under the public key as PEM, trimmed', async () => signedWithSecret((await publicPem()).trim())],
  ['HS256 under the public key as JWK', () => signedWithSecret(JSON.stringify(publicKey))],
  ['an unknown key under the known id', () => byAttacker(genuineHeader)],
  ['an unknown key under its own id', () => byAttacker({ ...genuineHeader, kid: 'attacker' })],
  ['an unknown key without an id', () => byAttacker({ alg: 'RS256', typ: 'JWT' })],
  ['an id that is SQL', () => byAttacker({ ...genuineHeader, kid: "' OR 1=1 --" })],
  ['an id of another type', () => byAttacker({ ...genuineHeader, kid: { $ne: null } })],
  ['its own key in jwk', () => byAttacker({ ...genuineHeader, jwk: attackerKey })],
  ['its own key in jwk alone', () => byAttacker({ alg: 'RS256', typ: 'JWT', jwk: attackerKey })],
  ['its own key behind jku', () => byAttacker({ ...genuineHeader, jku: ATTACKER })],
  ['its own key behind jku, under another id', () => byAttacker({ alg: 'RS256', kid: 'x', jku: ATTACKER })],
  ['its own key behind x5u', () => byAttacker({ ...genuineHeader, x5u: ATTACKER })],
  ['its own key in x5c', () => byAttacker({ ...genuineHeader, x5c: [attackerKey.n] })],
  ['a critical header that is unknown', () => headed({ crit: ['unknown'], unknown: 1 })],
  ['a critical header that is not there', () => headed({ crit: ['exp'] })],
  ['a payload that is not encoded', () => headed({ crit: ['b64'], b64: false })],
  [
    'RS512 under the genuine key',
    async () => {
      const algorithm = { ...RS256, hash: 'SHA-512' };
      const key = await providerKey(algorithm);
      return await signed({ header: { ...genuineHeader, alg: 'RS512' }, key, algorithm });
    },
  ],
  [
    'PS256 under the genuine key',
    async () => {
      const algorithm = { name: 'RSA-PSS', hash: 'SHA-256', saltLength: 32 };
      const key = await providerKey(algorithm);
      return await signed({ header: { ...genuineHeader, alg: 'PS256' }, key, algorithm });
    },
  ],
  ['the type of an access token', () => headed({ typ: 'at+jwt' })],
  ['the type of a security event', () => headed({ typ: 'secevent+jwt' })],
  ['no type', () => signed({ header: { alg: 'RS256', kid } })],
  [
    'a changed payload',
    () => withParts((h, _, s) => `${h}.${encode({ ...genuineClaims(), sub: '1' })}.${s}`),
  ],
  [
    'a changed header',
    () => withParts((_, claims, s) => `${encode({ ...genuineHeader, x: 1 })}.${claims}.${s}`),
  ],
  [
    'the signature of another token',
    async () => {
      const other = (await credential('other@lab.test')).split('.')[2] ?? '';
      return await withParts((header, claims) => `${header}.${claims}.${other}`);
    },
  ],
  ['an empty signature', () => withParts((header, claims) => `${header}.${claims}.`)],
  ['a cut signature', () => withParts((header, claims, s) => `${header}.${claims}.${s.slice(0, -4)}`)],
  ['a signature and more', () => withParts((header, claims, s) => `${header}.${claims}.${s}AAAA`)],
  ['padding after the signature', () => withParts((header, claims, s) => `${header}.${claims}.${s}==`)],
  [
    'padding that was signed',
    async () => {
      const text = `${encode(genuineHeader)}=.${encode(genuineClaims())}=`;
      return await signedText(text);
    },
  ],
  ['two parts', () => withParts((header, claims) => `${header}.${claims}`)],
  ['four parts', () => withParts((header, claims, s) => `${header}.${claims}.${s}.${s}`)],
  [
    'an encrypted token of five parts',
    async () =>
      await new CompactEncrypt(bytes(JSON.stringify(genuineClaims())))
        .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid })
        .encrypt(await importJWK({ ...publicKey, alg: 'RSA-OAEP-256' }, 'RSA-OAEP-256')),
  ],
  [
    'JSON in place of the compact form',
    () => withParts((header, payload, s) => JSON.stringify({ protected: header, payload, signature: s })),
  ],
  ['a genuine token within a token', async () => signed({ claims: await signed({}) })],
  ['a payload that is no JSON', () => signed({ claims: '{' })],
  [
    'more than 8 KB, genuinely signed',
    () => signed({ claims: { ...genuineClaims(), more: 'x'.repeat(8192) } }),
  ],
  ['no token at all', () => Promise.resolve('not-a-token')],
  ['three empty parts', () => Promise.resolve('..')],
];

const forgedClaims: [string, Json][] = [
  ['a foreign audience', { aud: 'another-client' }],
  ['an audience among others', { aud: ['test-client', 'another-client'] }],
  ['no audience', { aud: null }],
  ['a foreign authorized party', { azp: 'another-client' }],
  ['a foreign issuer', { iss: 'https://evil.test' }],
  ['our issuer with a slash', { iss: `${IDENTITY}/` }],
  ['our issuer under another scheme', { iss: IDENTITY.replace('http:', 'https:') }],
  ['our issuer and more', { iss: `${IDENTITY}.evil.test` }],
  ['a list of issuers', { iss: [IDENTITY, 'https://evil.test'] }],
  ['no issuer', { iss: null }],
  ['an expired time', { exp: seconds(-31) }],
  ['an expiry that is a word', { exp: 'never' }],
  ['no expiry', { exp: null }],
  ['no subject', { sub: null }],
  ['an empty subject', { sub: '' }],
  ['a subject that is a number', { sub: 1 }],
  ['no issue time', { iat: null }],
  ['an issue time in the future', { iat: seconds(120) }],
  ['a start in the future', { nbf: seconds(120) }],
  ['an unverified email', { email_verified: false }],
  ['an email verified in words', { email_verified: 'false' }],
  ['an email verified by a word', { email_verified: 'true' }],
  ['an email that says nothing of being verified', { email_verified: null }],
  ['an email that is a list', { email: ['forged@lab.test'] }],
  ['a nonce that this browser does not hold', { nonce: 'stolen' }],
];

async function outcomeOf(token: string, headers: Record<string, string> = {}) {
  const before = JSON.stringify(await contents());
  const answer = await login(token, headers);
  const { code } = errorBodySchema.parse(await answer.json()).error;
  const isStored = JSON.stringify(await contents()) !== before;
  return { status: answer.status, code, cookies: answer.headers.getSetCookie(), isStored };
}
const refused = { status: 401, code: 'not_logged_in', cookies: [], isStored: false };

describe('forged tokens', () => {
  test('what they are made of is accepted when nothing is wrong with it', async () => {
    expect((await login(await signed({}))).status).toBe(200);
  });

  test.each(forgeries)('AUTH-3 SEC-2 %s is refused without a cookie', async (_, forge) => {
    expect(await outcomeOf(await forge())).toEqual(refused);
  });

  test.each(forgedClaims)('AUTH-3 SEC-2 %s is refused without a cookie', async (_, claims) => {
    expect(await outcomeOf(await credential('forged@lab.test', claims))).toEqual(refused);
  });

  test('SEC-2 no address in a header is ever asked', async () => {
    expect(await (await order('count')).json()).toBe(0);
  });

  test('AUTH-3 a tolerated clock difference is no forgery', async () => {
    for (const claims of [{ exp: seconds(-5) }, { iat: seconds(5), nbf: seconds(5) }]) {
      expect((await login(await credential('late@lab.test', claims))).status).toBe(200);
    }
  });
});

describe('the nonce', () => {
  const withNonce = () => credential('nonce@lab.test', { nonce: 'one-browser-only' });

  test('SEC-5 a token with a nonce is good beside the cookie that holds it, which is then taken back', async () => {
    const answer = await login(await withNonce(), { cookie: 'nonce=one-browser-only' });
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie().join()).toMatch(/(^|,)nonce=; Max-Age=0/);
  });

  test.each(['', 'nonce=', 'nonce=another', '__Host-session=one-browser-only'])(
    'SEC-5 AUTH-3 and beside the cookies "%s" it is not',
    async (cookie) => {
      expect(await outcomeOf(await withNonce(), { cookie })).toEqual(refused);
    },
  );

  test('SEC-5 a browser that asked for a nonce takes no token without it', async () => {
    expect(await outcomeOf(await credential('nonce@lab.test'), { cookie: 'nonce=one-browser-only' })).toEqual(
      refused,
    );
  });

  test('SEC-5 a nonce in body, query or header counts for nothing', async () => {
    const nonce = 'one-browser-only';
    const answer = await api(`/login?nonce=${nonce}`, {
      method: 'POST',
      headers: { authorization: await withNonce(), 'content-type': 'application/json', nonce },
      body: JSON.stringify({ nonce, g_csrf_token: nonce }),
    });
    expect(answer.status).toBe(401);
  });
});
